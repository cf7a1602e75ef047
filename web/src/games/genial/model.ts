import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { t } from "../../i18n";
import type { GenialView } from "../../protocol";
import { announce } from "../../ui/announce";
import { Placing } from "../common/placing";
import type { Point } from "../common/pointer";
import type { Desk } from "../types";
import { linesFrom, nearest, pointOf, type Reach, step } from "./hex";
import { type Cell, type Colour, legalMoves, type Tile } from "./view";

export interface Ghost {
  tile: Tile;
  first: Cell;
  second: Cell;
  way: number;
  /** The move in notation, or null where the tile may not lie. */
  move: string | null;
  points: [number, number];
  lines: [Reach[], Reach[]];
}

/** The UI state: the chosen tile and its ghost. The view says where it may go. */
export class Model extends Placing<Cell> {
  /** Which tile of the hand is chosen. */
  readonly chosen = signal<number | null>(null);
  /** In which direction the second half lies, 0–5 clockwise from the right. */
  readonly way = signal(1);
  /** Which half lies on the cell that was touched: the tile turns around it. */
  private pivot: 0 | 1 = 0;
  readonly legal: ReadonlySignal<Set<string>>;
  readonly tile: ReadonlySignal<Tile | null>;
  readonly targets: ReadonlySignal<Set<Cell>>;
  readonly ghost: ReadonlySignal<Ghost | null>;

  constructor(readonly desk: Desk<GenialView>) {
    super();
    const view = desk.view;
    this.legal = computed(() => new Set(legalMoves(view.value)));
    this.tile = computed(() =>
      this.chosen.value === null ? null : (view.value.hand?.[this.chosen.value] ?? null),
    );
    this.targets = computed(() => {
      const tile = this.tile.value;
      const cells = new Set<Cell>();
      if (tile === null || !desk.may.value) return cells;
      for (const move of this.legal.value) {
        const [of, first, second] = move.split(" ");
        if (of === tile && first && second) cells.add(first).add(second);
      }
      return cells;
    });
    this.ghost = computed(() => this.ghostAt(this.at.value, this.way.value));
    this.dropOnNews();
  }

  /** The move that lays a tile with its first half here, if the view has it. */
  find(tile: Tile, first: Cell, second: Cell): string | null {
    const legal = this.legal.value;
    const move = `${tile} ${first} ${second}`;
    if (legal.has(move)) return move;
    // The two halves of a double are the same: either order means the same move.
    const turned = `${tile} ${second} ${first}`;
    return tile.charAt(0) === tile.charAt(1) && legal.has(turned) ? turned : null;
  }

  private ghostAt(first: Cell | null, way: number): Ghost | null {
    const tile = this.tile.value;
    const view = this.desk.view.value;
    if (tile === null || first === null || !this.desk.may.value) return null;
    const second = step(first, way, view.radius);
    if (second === null || view.symbols[first] || view.symbols[second]) return null;
    const move = this.find(tile, first, second);
    const [a, b] = [tile.charAt(0) as Colour, tile.charAt(1) as Colour];
    return {
      tile,
      first,
      second,
      way,
      move,
      points: [view.points?.[a][first] ?? 0, view.points?.[b][second] ?? 0],
      lines: [
        linesFrom(view.symbols, first, a, view.radius, way),
        linesFrom(view.symbols, second, b, view.radius, (way + 3) % 6),
      ],
    };
  }

  cellAt(point: Point): Cell | null {
    return nearest(point, this.desk.view.value.radius);
  }

  choose(index: number): void {
    const hand = this.desk.view.value.hand ?? [];
    if (index >= hand.length || !this.desk.may.value || this.desk.view.value.phase !== "place")
      return;
    this.chosen.value = index;
    const [at, cursor] = [this.at.value, this.cursor.value];
    if (at !== null) this.set(at, this.fixed.value, false);
    else if (cursor !== null) this.set(cursor, true, false);
    announce(tileWords(hand[index] ?? ""));
  }

  /** Put the ghost on a cell, in its direction or the next legal one. */
  set(cell: Cell, fixed: boolean, hint = true): boolean {
    const tile = this.tile.value;
    if (tile === null) {
      if (hint) this.desk.hint(t("genial-choose-first"));
      return false;
    }
    const view = this.desk.view.value;
    for (let more = 0; more < 6; more++) {
      const way = (this.way.value + more) % 6;
      const second = step(cell, way, view.radius);
      if (second !== null && this.find(tile, cell, second)) {
        this.way.value = way;
        this.at.value = cell;
        this.fixed.value = fixed;
        this.pivot = 0;
        return true;
      }
    }
    if (hint) {
      const first = view.turns < view.players && !view.symbols[cell];
      this.desk.hint(t(first ? "genial-not-here-first" : "genial-not-here"));
    }
    return false;
  }

  /** A tap or a click on a cell. */
  tap(cell: Cell): void {
    if (!this.desk.may.value || this.desk.view.value.phase !== "place") return;
    const ghost = this.ghost.value;
    const pivot = ghost && (this.pivot === 0 ? ghost.first : ghost.second);
    if (ghost && this.fixed.value && cell === pivot) this.turn(1);
    else if (ghost && this.fixed.value && [ghost.first, ghost.second].includes(cell)) this.flip();
    else this.set(cell, true);
  }

  /**
   * Rotate the tile around the touched cell to the next legal position: six directions with the
   * first half there, then six with the second, so that every position can be reached.
   */
  turn(by: 1 | -1): void {
    const ghost = this.ghost.value;
    if (!ghost) {
      this.way.value = (this.way.value + by + 6) % 6;
      return;
    }
    const centre = this.pivot === 0 ? ghost.first : ghost.second;
    const now = this.pivot * 6 + ((ghost.way + this.pivot * 3) % 6);
    for (let more = 1; more <= 12; more++) {
      if (this.lie(centre, (now + by * more + 24) % 12)) break;
    }
    this.describe();
  }

  /** Lie around a cell: 0–5 with the first half on it, 6–11 with the second. */
  private lie(centre: Cell, turned: number): boolean {
    const tile = this.tile.value;
    const other = step(centre, turned % 6, this.desk.view.value.radius);
    if (tile === null || other === null) return false;
    const pivot = turned < 6 ? 0 : 1;
    const first = pivot === 0 ? centre : other;
    if (!this.find(tile, first, pivot === 0 ? other : centre)) return false;
    this.at.value = first;
    this.way.value = (turned + pivot * 3) % 6;
    this.pivot = pivot;
    return true;
  }

  /** Swap the halves. */
  flip(): void {
    const ghost = this.ghost.value;
    if (!ghost || !this.find(ghost.tile, ghost.second, ghost.first)) return;
    this.at.value = ghost.second;
    this.way.value = (ghost.way + 3) % 6;
    this.pivot = this.pivot === 0 ? 1 : 0;
    this.describe();
  }

  /** Go to the next or previous legal position, in reading order. */
  seek(by: 1 | -1): void {
    const tile = this.tile.value;
    if (tile === null) return;
    const moves = [...this.legal.value].filter((move) => move.startsWith(`${tile} `));
    if (moves.length === 0) return;
    const now = this.ghost.value?.move;
    const at = now ? moves.indexOf(now) : by > 0 ? -1 : 0;
    this.cursor.value = this.hold(moves.at((at + by) % moves.length) ?? "");
    this.describe();
  }

  /** Hold the chosen tile where a move lays it; returns its first cell. */
  private hold(move: string): Cell {
    const [, first = "", second = ""] = move.split(" ");
    const { radius } = this.desk.view.value;
    const way = [0, 1, 2, 3, 4, 5].find((each) => step(first, each, radius) === second);
    this.at.value = first;
    this.way.value = way ?? 0;
    this.pivot = 0;
    this.fixed.value = true;
    return first;
  }

  /** Choose the tile of a move and hold it there. */
  take(move: string): void {
    const hand = this.desk.view.value.hand ?? [];
    const index = hand.findIndex((tile) => move.startsWith(`${tile} `));
    if (index < 0 || !this.desk.may.value) return;
    this.choose(index);
    this.hold(move);
    this.describe();
  }

  place(): boolean {
    const move = this.ghost.value?.move;
    if (!move || !this.desk.may.value) return false;
    this.desk.move(move);
    return true;
  }

  override drop(): void {
    this.chosen.value = null;
    super.drop();
  }

  /** One step of the keyboard; up and down keep to the column as well as hexagons allow. */
  walk(right: number, down: number): void {
    const { radius } = this.desk.view.value;
    const from = this.cursor.value ?? this.at.value;
    if (from === null) {
      this.moveTo("h8");
      return;
    }
    const far = pointOf(from).x > this.column + 1;
    const across = right > 0 ? [0] : [3];
    const along = down > 0 ? [1, 2] : [5, 4];
    for (const way of right !== 0 ? across : far ? along.reverse() : along) {
      const next = step(from, way, radius);
      if (next !== null) {
        if (right !== 0) this.column = pointOf(next).x;
        this.moveTo(next);
        return;
      }
    }
  }

  private column = 0;

  private moveTo(cell: Cell): void {
    this.cursor.value = cell;
    if (this.tile.value !== null && this.desk.may.value) {
      if (!this.set(cell, true, false)) this.at.value = null;
    }
    this.describe();
  }

  /** Announce the cursor's position and the points of the tile there. */
  describe(): void {
    const cell = this.cursor.value ?? this.at.value;
    if (cell === null) return;
    const symbol = this.desk.view.value.symbols[cell];
    const what = symbol ? t(`symbol-genial-${symbol}`) : t("genial-free");
    const ghost = this.ghost.value;
    const words = `${cell}, ${what}.`;
    if (ghost?.move) {
      const [first, second] = ghost.points;
      announce(
        `${words} ${t("genial-ghost-words", {
          second: ghost.second,
          points: first + second,
        })}`,
      );
    } else announce(this.tile.value === null || symbol ? words : `${words} ${t("genial-no-fit")}`);
  }
}

export function tileWords(tile: Tile): string {
  return t("genial-tile-words", {
    first: t(`symbol-genial-${tile.charAt(0)}`),
    second: t(`symbol-genial-${tile.charAt(1)}`),
  });
}

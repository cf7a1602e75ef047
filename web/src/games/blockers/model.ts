import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { t } from "../../i18n";
import type { BlockersView } from "../../protocol";
import { announce } from "../../ui/announce";
import { Placing } from "../common/placing";
import type { Desk } from "../types";
import { cellAt, cellsOf, groupsOf, matches, partsWithout, step } from "./grid";
import {
  type Cell,
  type Colour,
  colourOf,
  coloursOf,
  type Move,
  ownerOf,
  pointsOf,
  readMove,
  type Tile,
} from "./view";
import { cellWords, theTile, tileWords, whereWords } from "./words";

/** The last tile that was laid. (What it captured is in the events only.) */
export interface Last {
  cell: Cell;
  tile: Tile;
  taken: Tile | null;
}

/** A tile that cannot be captured, and the parts that its group would split into. */
export interface Why {
  cell: Cell;
  parts: Cell[][];
}

export interface Ghost {
  move: Move;
  tile: Tile;
  cell: Cell;
  /** The tile that it captures. */
  taken: Tile | null;
}

/** A colour stops when so many of its tiles are left. */
const KEPT = 4;

/** The UI state: the chosen tile and its ghost. The view says where it may go. */
export class Model extends Placing<Cell> {
  /** The tile of the rack that is chosen. */
  readonly tile = signal<Tile | null>(null);
  readonly cellAt = cellAt;
  readonly why = signal<Why | null>(null);
  readonly last: ReadonlySignal<Last | null>;
  /** The moves of each tile of the rack. */
  readonly moves: ReadonlySignal<Map<Tile, Move[]>>;
  /** The cells for the tile that is chosen. */
  readonly targets: ReadonlySignal<Map<Cell, Move>>;
  /** The tiles that may go to the cell that was tapped, while none is chosen. */
  readonly fits: ReadonlySignal<Set<Tile>>;
  readonly ghost: ReadonlySignal<Ghost | null>;
  /** How many groups each seat would have with the ghost. */
  readonly preview: ReadonlySignal<number[] | null>;
  private readonly laid = signal<Last | null>(null);

  constructor(readonly desk: Desk<BlockersView>) {
    super();
    const view = desk.view;
    this.moves = computed(() => {
      const moves = new Map<Tile, Move[]>();
      if (!desk.may.value) return moves;
      for (const move of view.value.legal.map(readMove)) {
        moves.set(move.tile, [...(moves.get(move.tile) ?? []), move]);
      }
      return moves;
    });
    this.targets = computed(() => {
      const moves = this.moves.value.get(this.tile.value ?? "") ?? [];
      return new Map(moves.flatMap((move) => (move.cell ? [[move.cell, move]] : [])));
    });
    this.fits = computed(() => {
      const [tile, at] = [this.tile.value, this.at.value];
      return tile === null && at !== null ? this.tilesFor(at) : new Set();
    });
    this.ghost = computed(() => {
      const [tile, cell] = [this.tile.value, this.at.value];
      const move = cell === null ? undefined : this.targets.value.get(cell);
      if (tile === null || cell === null || !move) return null;
      return { move, tile, cell, taken: view.value.board[cell] ?? null };
    });
    this.preview = computed(() => groupsWith(view.value, this.ghost.value));
    this.last = computed(() => {
      const cell = view.value.last;
      const tile = cell ? view.value.board[cell] : undefined;
      if (!cell || !tile) return null;
      const laid = this.laid.value;
      return laid?.cell === cell && laid.tile === tile ? laid : { cell, tile, taken: null };
    });
    effect(() => {
      const event = desk.fresh.value.findLast(
        (each) => each.kind === "laid" || each.kind === "captured",
      );
      if (event?.kind === "laid") this.laid.value = { ...event, taken: null };
      else if (event?.kind === "captured") this.laid.value = event;
    });
    this.dropOnNews();
  }

  private tilesFor(cell: Cell): Set<Tile> {
    const fits = [...this.moves.value].filter(([, moves]) =>
      moves.some((move) => move.cell === cell),
    );
    return new Set(fits.map(([tile]) => tile));
  }

  /** Whether a tile must be thrown away, as nothing can be laid. */
  get discarding(): boolean {
    return this.desk.may.value && this.desk.view.value.legal.every((m) => m.startsWith("discard"));
  }

  /** The move that Enter and the button make. */
  get ready(): Move | null {
    const moves = this.moves.value.get(this.tile.value ?? "") ?? [];
    return this.ghost.value?.move ?? moves.find((move) => move.cell === null) ?? null;
  }

  choose(tile: Tile): void {
    if (!this.desk.may.value) return;
    if (this.tile.value === tile) {
      this.drop();
      return;
    }
    const moves = this.moves.value.get(tile) ?? [];
    if (moves.length === 0) {
      this.desk.hint(this.whyNoMove(tile));
      return;
    }
    const at = this.at.value ?? this.cursor.value;
    this.tile.value = tile;
    this.why.value = null;
    if (at === null || !this.set(at, true, false)) this.at.value = null;
    const captures = moves.filter((move) => move.capture).length;
    announce(
      t("blockers-chosen", { tile: tileWords(tile), free: moves.length - captures, captures }),
    );
  }

  /** Choose the tile of a move and hold it there. */
  take(notation: string): void {
    const { tile, cell } = readMove(notation);
    if (!this.desk.may.value) return;
    this.drop();
    this.choose(tile);
    if (cell !== null) this.set(cell, true);
  }

  chooseAt(index: number): void {
    const tile = this.desk.view.value.rack?.[index];
    if (tile && tile !== this.tile.value) this.choose(tile);
  }

  private whyNoMove(tile: Tile): string {
    const view = this.desk.view.value;
    const colour = colourOf(tile);
    const held = view.racks[this.desk.you.value ?? -1]?.[colour] ?? 0;
    if ((view.piles[colour] ?? 0) + held <= KEPT) {
      return t("blockers-stopped", { colour: t(`colour-blockers-${colour}`) });
    }
    return t("blockers-nowhere", { tile: theTile(tile) });
  }

  /** Put the ghost on a cell if the tile may go there; if not, say why. */
  set(cell: Cell, fixed: boolean, hint = true): boolean {
    if (this.targets.value.has(cell)) {
      this.at.value = cell;
      this.fixed.value = fixed;
      this.why.value = null;
      return true;
    }
    if (hint) this.explain(cell);
    return false;
  }

  /** A tap or a click on a cell. */
  tap(cell: Cell): void {
    if (!this.desk.may.value || this.discarding) return;
    if (this.tile.value !== null) {
      this.set(cell, true);
      return;
    }
    this.why.value = null;
    this.fixed.value = true;
    this.at.value = cell;
    if (this.fits.value.size > 0) {
      this.desk.hint(t("blockers-choose-marked", { cell }));
      return;
    }
    this.at.value = null;
    this.explain(cell);
  }

  /** Why the chosen tile, or any tile of the rack, may not go to this cell. */
  private explain(cell: Cell): void {
    const view = this.desk.view.value;
    const there = view.board[cell];
    const tile = this.tile.value;
    const tiles = tile === null ? (view.rack ?? []) : [tile];
    this.why.value = null;
    if (there && coloursOf(view, this.desk.you.value ?? -1).includes(colourOf(there))) {
      this.desk.hint(t("blockers-own", { tile: theTile(there), cell }));
    } else if (!tiles.some((each) => matches(each, cell))) {
      this.desk.hint(
        tile === null
          ? t("blockers-none-here", { cell })
          : t("blockers-not-here", { tile: theTile(tile), cell, where: whereWords(tile) }),
      );
    } else if (there) {
      const parts = partsWithout(view.board, cell);
      this.why.value = { cell, parts };
      this.desk.hint(t("blockers-splits", { tile: theTile(there), cell, parts: parts.length }));
    } else {
      const stopped = tiles.find((each) => matches(each, cell)) ?? "";
      this.desk.hint(this.whyNoMove(stopped));
    }
  }

  place(): boolean {
    const move = this.ready;
    if (!move || !this.desk.may.value) return false;
    this.desk.move(move.text);
    return true;
  }

  override drop(): void {
    this.tile.value = null;
    this.why.value = null;
    super.drop();
  }

  /** One step of the keyboard. */
  walk(right: number, down: number): void {
    const from = this.cursor.value ?? this.at.value;
    const next = from === null ? "E5" : step(from, down, right);
    if (next === null) return;
    this.cursor.value = next;
    this.why.value = null;
    if (this.tile.value === null || !this.set(next, true, false)) this.at.value = null;
    announce(this.describe(next));
  }

  /** Go to the next or previous cell for the chosen tile, in reading order. */
  seek(by: 1 | -1): void {
    const cells = [...this.targets.value.keys()].sort();
    if (cells.length === 0) return;
    const at = cells.indexOf(this.at.value ?? "");
    const next = cells.at((at < 0 && by < 0 ? -1 : at + by) % cells.length)!;
    this.cursor.value = next;
    this.set(next, true);
    announce(this.describe(next));
  }

  /** What the ghost would do to one's own groups. */
  effectWords(): string {
    const you = this.desk.you.value ?? 0;
    const view = this.desk.view.value;
    const taken = this.ghost.value?.taken;
    const [captured, groups] = [view.captures[you] ?? [], view.groups[you] ?? 0];
    const then = this.preview.value?.[you] ?? groups;
    return t("blockers-effect", {
      before: groups,
      after: then,
      points: pointsOf(view, groups, captured),
      sum: pointsOf(view, then, taken ? [...captured, taken] : captured),
    });
  }

  /** What is on a cell, and what the chosen tile would do there. */
  private describe(cell: Cell): string {
    const view = this.desk.view.value;
    const there = view.board[cell];
    const words = `${cellWords(cell)}: ${there ? tileWords(there) : t("blockers-free")}.`;
    const ghost = this.ghost.value;
    const tile = this.tile.value;
    if (ghost) {
      const can = t(ghost.taken ? "blockers-can-capture" : "blockers-can-lay");
      return `${words} ${can} ${this.effectWords()}`;
    }
    if (tile === null || !matches(tile, cell)) return words;
    return `${words} ${t("blockers-protected")}`;
  }
}

/** How many groups each seat would have if the ghost lay there. */
function groupsWith(view: BlockersView, ghost: Ghost | null): number[] | null {
  if (!ghost) return null;
  const after = { ...view.board, [ghost.cell]: ghost.tile };
  const groups = [...view.groups];
  const count = (board: Record<Cell, Tile>, colour: Colour) =>
    groupsOf(cellsOf(board, colour)).length;
  for (const colour of [ghost.tile, ghost.taken].flatMap((tile) => (tile ? colourOf(tile) : []))) {
    const owner = ownerOf(view, colour);
    groups[owner] = (groups[owner] ?? 0) + count(after, colour) - count(view.board, colour);
  }
  return groups;
}

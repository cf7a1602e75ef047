import { signal } from "@preact/signals";
import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { announce } from "../../ui/announce";
import type { Desk } from "../types";
import type { Colour, Slot, TileId } from "./view";
import { tileWords } from "./words";

/** Choices besides building: tiles of the draft, and those of Kaos cards. */
export class Choices {
  /** Tiles of the packet that will be kept. */
  readonly picked = signal<TileId[]>([]);
  /** The tile of the next player that will turn. */
  readonly target = signal<Slot | null>(null);
  /** Points that will be moved. */
  readonly transfer = signal<{ source: Colour; target: Colour; points: number } | null>(null);

  constructor(private readonly desk: Desk<KaosmosView>) {}

  clear(): void {
    this.picked.value = [];
    this.target.value = null;
    this.transfer.value = null;
  }

  pick(tile: TileId): void {
    const picked = this.picked.value;
    if (picked.includes(tile)) this.picked.value = picked.filter((each) => each !== tile);
    else if (picked.length < 3) this.picked.value = [...picked, tile];
    else this.picked.value = [...picked.slice(1), tile];
    announce(t("kaosmos-said-pick", { tile: tileWords(tile, 0), count: this.picked.value.length }));
  }

  keep(): boolean {
    const picked = this.picked.value;
    if (picked.length !== this.desk.view.value.moves?.keep) return false;
    return this.send(`keep ${[...picked].sort().join(" ")}`);
  }

  aim(slot: Slot): void {
    if (!this.desk.may.value || !this.offered.includes(`turn ${slot}`)) return;
    this.target.value = this.target.value === slot ? null : slot;
  }

  interfere(): boolean {
    return this.target.value !== null && this.send(`turn ${this.target.value}`);
  }

  /** Points that may be moved from one colour to another. */
  most(source: Colour, target: Colour): number {
    return this.offered.filter(
      (move) => move.startsWith(`move ${source} ${target} `) && !move.endsWith(" 0"),
    ).length;
  }

  shift(): boolean {
    const wanted = this.transfer.value;
    const move = wanted
      ? `move ${wanted.source} ${wanted.target} ${wanted.points}`
      : this.offered.find((each) => each.endsWith(" 0"));
    return move !== undefined && this.send(move);
  }

  /** The choices offered by the Kaos card. */
  private get offered(): string[] {
    return this.desk.view.value.moves?.choices ?? [];
  }

  private send(move: string): boolean {
    if (!this.desk.may.value) return false;
    this.desk.move(move);
    return true;
  }
}

import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { announce } from "../../ui/announce";
import { press } from "../common/keys";
import type { Desk } from "../types";
import { columnOf, rowOf, SHAPES, slotAt } from "./frame";
import type { Model } from "./model";
import type { Colour, Slot, TileId } from "./view";
import { tileWords } from "./words";

/** A key that was pressed anywhere at the table; true if it was meant for the game. */
export function key(event: KeyboardEvent, _desk: Desk<KaosmosView>, model: Model): boolean {
  const tile = meant(model);
  const withTile = (act: (tile: TileId) => void): boolean => {
    if (tile) act(tile);
    return tile !== null;
  };
  const bonus = (colour: Colour): boolean => {
    model.toggleBonus(colour);
    return model.building.value || model.reserving.value;
  };
  const lift = () => withTile((each) => model.lift(each));
  return press(
    event,
    {
      walk: (right, down) => walk(model, right, down),
      choose: (index) => choose(model, index),
      enter: () => enter(model),
      turn: (by) => withTile((each) => model.turn(each, by)),
      cancel: () => {
        if (model.chosen.value === null) model.cursor.value = null;
        model.drop();
      },
    },
    {
      delete: lift,
      backspace: lift,
      l: () => withTile((each) => model.leave(each)),
      g: () => bonus("green"),
      b: () => bonus("blue"),
      o: () => bonus("orange"),
      d: () => model.finish(),
    },
  );
}

/** That tile of the packet, or of the nine. */
function choose(model: Model, index: number): boolean {
  const { phase, packet } = model.desk.view.value;
  const tile = phase === "draft" ? packet?.[index] : model.nine.value[index];
  if (!tile) return false;
  if (phase === "draft") model.pick(tile);
  else if (model.chosen.value !== tile) model.tapTray(tile);
  return true;
}

/** One step of the cursor, over gaps in the shape. */
function walk(model: Model, right: number, down: number): boolean {
  const { phase } = model.desk.view.value;
  if (phase !== "building" && phase !== "ingerence") return false;
  const slots = SHAPES[model.shape.value];
  const from = model.cursor.value;
  if (from === null || !slots.includes(from)) {
    model.cursor.value = model.shape.value === "free" ? "e5" : (slots[0] ?? null);
  } else {
    model.cursor.value = beyond(from, slots, right, down);
  }
  if (model.cursor.value !== null) describe(model, model.cursor.value);
  return true;
}

function beyond(from: Slot, slots: readonly Slot[], right: number, down: number): Slot {
  for (const steps of [1, 2]) {
    const slot = slotAt(columnOf(from) + right * steps, rowOf(from) + down * steps);
    if (slot !== null && slots.includes(slot)) return slot;
  }
  return from;
}

/** Enter: lay the chosen tile here, or pick up the one that lies here. */
export function enter(model: Model): boolean {
  const { phase } = model.desk.view.value;
  const { choices, count } = model;
  if (count.now.value) {
    count.next();
    return true;
  }
  if (model.revealed.value && choices.picked.value.length < 3) {
    model.moments.seenCard();
    return true;
  }
  if (phase === "draft") return choices.keep();
  const slot = model.cursor.value;
  if (phase === "ingerence") {
    if (slot === null || choices.target.value === slot) return choices.interfere();
    choices.aim(slot);
    return true;
  }
  if (!model.building.value || slot === null) return false;
  const laid = model.position.value.galaxy[slot];
  const chosen = model.chosen.value;
  if (chosen && chosen !== laid?.[0]) model.put(chosen, slot);
  else model.chosen.value = laid && chosen === null ? laid[0] : null;
  return true;
}

/** The tile that keys act on: the chosen one, or the one under the cursor. */
function meant(model: Model): TileId | null {
  const slot = model.cursor.value;
  const laid = slot === null ? undefined : model.position.value.galaxy[slot];
  return model.chosen.value ?? laid?.[0] ?? null;
}

function describe(model: Model, slot: Slot): void {
  const seat = model.seat.value;
  const own = seat === model.desk.you.value;
  const galaxy = own ? model.position.value.galaxy : (model.desk.view.value.galaxies[seat] ?? {});
  const laid = galaxy[slot];
  announce(`${slot}, ${laid ? tileWords(...laid) : t("kaosmos-free")}`);
}

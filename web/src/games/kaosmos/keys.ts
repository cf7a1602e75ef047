import { t } from "../../i18n";
import { announce } from "../../ui/announce";
import type { Desk } from "../types";
import { columnOf, rowOf, SHAPES, slotAt } from "./frame";
import type { Model } from "./model";
import type { Colour, KaosmosView, Slot, TileId } from "./view";
import { tileWords } from "./words";

const WAYS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const BONUS_KEYS: Record<string, Colour> = { g: "green", b: "blue", o: "orange" };

/** A key that was pressed anywhere at the table; true if it was meant for the game. */
export function key(event: KeyboardEvent, desk: Desk<KaosmosView>, model: Model): boolean {
  const pressed = event.key;
  const { phase } = desk.view.value;
  if (pressed.startsWith("Arrow")) {
    if (phase !== "building" && phase !== "ingerence") return false;
    walk(model, pressed);
    return true;
  }
  if (/^[1-9]$/.test(pressed)) return numbered(model, Number(pressed) - 1);
  const tile = meant(model);
  const small = pressed.toLowerCase();
  switch (small) {
    case "r":
      if (tile) model.turn(tile, event.shiftKey ? -1 : 1);
      return tile !== null;
    case "delete":
    case "backspace":
      if (tile) model.lift(tile);
      return tile !== null;
    case "l":
      if (tile) model.leave(tile);
      return tile !== null;
    case "g":
    case "b":
    case "o":
      model.toggleBonus(BONUS_KEYS[small] ?? "green");
      return model.building.value || model.reserving.value;
    case "d":
      return model.finish();
    case "enter":
    case " ":
      return act(model);
    case "escape":
      model.drop();
      return true;
    default:
      return false;
  }
}

/** A number: that tile of the packet, or of the nine. */
function numbered(model: Model, index: number): boolean {
  const { phase, packet } = model.desk.view.value;
  const tile = phase === "draft" ? packet?.[index] : model.nine.value[index];
  if (!tile) return false;
  if (phase === "draft") model.pick(tile);
  else model.tapTray(tile);
  return true;
}

/** One step of the keyboard, over gaps in the shape. */
function walk(model: Model, pressed: string): void {
  const slots = SHAPES[model.shape.value];
  const from = model.cursor.value;
  if (from === null || !slots.includes(from)) {
    model.cursor.value = model.shape.value === "free" ? "e5" : (slots[0] ?? null);
  } else {
    model.cursor.value = beyond(from, slots, WAYS[pressed] ?? [0, 0]);
  }
  if (model.cursor.value !== null) tell(model, model.cursor.value);
}

function beyond(from: Slot, slots: readonly Slot[], [dx, dy]: [number, number]): Slot {
  for (const steps of [1, 2]) {
    const slot = slotAt(columnOf(from) + dx * steps, rowOf(from) + dy * steps);
    if (slot !== null && slots.includes(slot)) return slot;
  }
  return from;
}

/** Enter: lay the tile in hand here, or take up the one that lies here. */
function act(model: Model): boolean {
  const { phase } = model.desk.view.value;
  const { choices, count } = model;
  if (count.now.value) {
    count.end();
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

/** The tile that keys are about: in hand, or under the cursor. */
function meant(model: Model): TileId | null {
  const slot = model.cursor.value;
  const laid = slot === null ? undefined : model.position.value.galaxy[slot];
  return model.chosen.value ?? laid?.[0] ?? null;
}

function tell(model: Model, slot: Slot): void {
  const seat = model.seat.value;
  const own = seat === model.desk.you.value;
  const galaxy = own ? model.position.value.galaxy : (model.desk.view.value.galaxies[seat] ?? {});
  const laid = galaxy[slot];
  announce(`${slot}, ${laid ? tileWords(...laid) : t("kaosmos-free")}`);
}

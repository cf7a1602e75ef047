import { t } from "../../i18n";
import type { GenialEvent } from "../../protocol";
import type { Decision } from "../types";
import { SmallDomino } from "./Domino";
import type { Model } from "./model";
import { SmallChip } from "./Sign";
import type { Colour } from "./view";

export function decides(event: GenialEvent): boolean {
  return event.kind === "placed" || event.kind === "swapped" || event.kind === "kept";
}

/** A move in the list: the tile, where it lies, and what each half scored. */
export function Move({ decision }: { decision: Decision<GenialEvent> }) {
  const [first] = decision.events;
  if (first?.kind !== "placed") {
    return (
      <span class="move">
        {t(first?.kind === "swapped" ? "genial-move-swapped" : "genial-move-kept")}
      </span>
    );
  }
  const scored = decision.events.find((event) => event.kind === "scored");
  const halves = scored?.kind === "scored" ? scored.halves.filter((half) => half.points > 0) : [];
  return (
    <span class="move">
      <SmallDomino tile={first.tile} />
      <span class="muted">
        {first.first} {first.second}
      </span>
      <span class="move-points">
        {halves.length === 0
          ? "0"
          : halves.map((half, index) => (
              <Gain key={index} colour={half.colour} points={half.points} />
            ))}
      </span>
    </span>
  );
}

function Gain({ colour, points }: { colour: Colour; points: number }) {
  return (
    <>
      <SmallChip colour={colour} size={17} />+{points}
    </>
  );
}

/** What the tile in hand would score where it hovers. */
export function effect(model: Model) {
  const ghost = model.ghost.value;
  if (!ghost?.move) return null;
  return ghost.points.map((points, index) => (
    <span key={index} class="genial-effect">
      <SmallChip colour={ghost.tile.charAt(index) as Colour} size={20} /> <b>+{points}</b>
    </span>
  ));
}

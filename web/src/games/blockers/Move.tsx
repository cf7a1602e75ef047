import { t } from "../../i18n";
import type { BlockersEvent } from "../../protocol";
import type { Decision } from "../types";
import { SmallColour, SmallTile } from "./Sign";
import { colourOf } from "./view";

export function decides(event: BlockersEvent): boolean {
  return event.kind === "laid" || event.kind === "captured" || event.kind === "discarded";
}

interface MoveProps {
  decision: Decision<BlockersEvent>;
  names: string[];
}

/** A move in the list: the tile, where it lies, what it took, and how many groups its colour has now.
 * Two players have two colours each. */
export function Move({ decision, names }: MoveProps) {
  const [move] = decision.events;
  if (move?.kind === "discarded") {
    return (
      <span class="move">
        <SmallTile tile={move.tile} size={2} /> {t("blockers-move-discarded")}
      </span>
    );
  }
  if (move?.kind !== "laid" && move?.kind !== "captured") return null;
  const after = move.groups[0]?.after ?? 0;
  return (
    <span class="move">
      <SmallTile tile={move.tile} size={2} />
      <b>{move.cell}</b>
      {move.kind === "captured" && (
        <span class="muted">
          × <SmallTile tile={move.taken} size={1.7} />
        </span>
      )}
      <span class="move-points muted">
        {names.length === 2 && <SmallColour colour={colourOf(move.tile)} size={1} />}
        {t("blockers-move-groups", { count: after })}
      </span>
    </span>
  );
}

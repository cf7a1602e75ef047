import { t } from "../../i18n";
import type { BlockersEvent } from "../../protocol";
import type { Decision } from "../types";
import { SmallTile } from "./Sign";

export function decides(event: BlockersEvent): boolean {
  return event.kind === "laid" || event.kind === "captured" || event.kind === "discarded";
}

/** A move in the list: the tile, where it lies, what it took, and how many groups there are now. */
export function Move({ decision }: { decision: Decision<BlockersEvent> }) {
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
      <span class="move-points muted">{t("blockers-move-groups", { count: after })}</span>
    </span>
  );
}

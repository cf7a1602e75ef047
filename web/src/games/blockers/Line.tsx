import { t } from "../../i18n";
import type { BlockersEvent, BlockersGroupChange } from "../../protocol";
import { SmallColour, SmallTile } from "./Sign";
import { say } from "./say";
import "./Line.css";

interface LineProps {
  event: BlockersEvent;
  names: string[];
  you: number | null;
}

/** An event with its tiles drawn. */
export function Line({ event, names, you }: LineProps) {
  if (event.kind !== "laid" && event.kind !== "captured") return <p>{say(event, names, you)}</p>;
  return (
    <p class="blockers-line">
      <strong>{event.seat === you ? t("you") : names[event.seat]}</strong>
      <SmallTile tile={event.tile} />
      <span>{event.cell}</span>
      {event.kind === "captured" && (
        <span class="blockers-took">
          <span aria-hidden="true">×</span>
          <span class="hidden">{t("blockers-captured", { count: 1 })}</span>{" "}
          <SmallTile tile={event.taken} />
        </span>
      )}
      <small class="blockers-reasons">
        {event.groups.map((change) => (
          <Change key={change.colour} change={change} />
        ))}
      </small>
    </p>
  );
}

function Change({ change }: { change: BlockersGroupChange }) {
  const { colour, before, after } = change;
  return (
    <span>
      <SmallColour colour={colour} size={1} /> {before === after ? "" : <span>{before} → </span>}
      {after} {t("blockers-groups", { count: after })}
    </span>
  );
}

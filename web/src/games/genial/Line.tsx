import { t } from "../../i18n";
import type { GenialEvent } from "../../protocol";
import { SmallChip } from "./Sign";
import { say } from "./say";
import type { Colour } from "./view";
import "./Line.css";

interface LineProps {
  event: GenialEvent;
  names: string[];
  you: number | null;
}

/** An event with its tiles and symbols drawn. */
export function Line({ event, names, you }: LineProps) {
  if (event.kind === "placed") {
    return (
      <p class="genial-line">
        <strong>{event.seat === you ? t("you") : names[event.seat]}</strong>
        <Pair tile={event.tile} />
        <span>
          {event.first} {event.second}
        </span>
      </p>
    );
  }
  if (event.kind === "scored") {
    const halves = event.halves.filter((half) => half.points > 0);
    if (halves.length === 0) return <p class="genial-line muted">{t("genial-say-nothing")}</p>;
    return (
      <p class="genial-line">
        {halves.map((half, index) => (
          <span key={index} class="genial-reason">
            <SmallChip colour={half.colour} size={18} /> <b>+{half.points}</b>{" "}
            <small>{half.lines.map((line) => line.cells.join("–")).join(", ")}</small>
          </span>
        ))}
      </p>
    );
  }
  return <p>{say(event, names, you)}</p>;
}

function Pair({ tile }: { tile: string }) {
  return (
    <span>
      <SmallChip colour={tile.charAt(0) as Colour} />
      <SmallChip colour={tile.charAt(1) as Colour} />
    </span>
  );
}

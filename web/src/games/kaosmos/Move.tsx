import { t } from "../../i18n";
import type { KaosmosEvent } from "../../protocol";
import type { Decision } from "../types";
import { signed } from "./count";
import { Sign } from "./Tile";
import { MARKERS } from "./view";

/** What is worth a line: rounds, bonus tiles, who is done, chance, and each count. */
export function decides(event: KaosmosEvent): boolean {
  return ["round", "kept", "grabbed", "locked", "filled", "counted", "transferred"].includes(
    event.kind,
  );
}

/** A round begins with its card. */
export function begins({ events }: Decision<KaosmosEvent>): boolean {
  return events[0]?.kind === "round";
}

/** A line of the list: by rounds, with what each galaxy scored. */
export function Move({ decision, names }: { decision: Decision<KaosmosEvent>; names: string[] }) {
  const [event] = decision.events;
  switch (event?.kind) {
    case "round": {
      const card = decision.events.find((each) => each.kind === "card");
      return (
        <span class="move">
          {t("kaosmos-move-round", { round: event.round })}
          {card?.kind === "card" && ` · ${t(`card-${card.card}-name`)}`}
        </span>
      );
    }
    case "counted":
      return (
        <span class="move">
          {MARKERS.map((marker) => {
            return (
              <span key={marker} class="kaosmos-gain">
                <Sign marker={marker} size={17} />
                <span class="hidden">{t(`colour-${marker}`)} </span>
                {signed(event.count.after[marker] - event.count.before[marker])}
              </span>
            );
          })}
        </span>
      );
    case "grabbed":
      return (
        <span class="move">
          {t("kaosmos-move-bonus")}
          {event.colours.map((colour) => (
            <Sign key={colour} marker={colour} size={20} />
          ))}
        </span>
      );
    case "filled":
      return <span class="move">{t("kaosmos-move-filled", { count: event.puts.length })}</span>;
    case "kept":
      return <span class="move">{t("kaosmos-move-kept", { count: event.count })}</span>;
    case "transferred":
      return <span class="move">{t("kaosmos-move-transferred", { points: event.points })}</span>;
    default:
      return <span class="move">{names.length > 0 && t("kaosmos-is-done")}</span>;
  }
}

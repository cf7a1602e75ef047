import { useEffect, useRef } from "preact/hooks";
import { Avatar, LOOKS } from "../../art/Avatar";
import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import type { PartProps } from "../types";
import { filledFor, signed } from "./count";
import type { Model } from "./model";
import { Back, Sign } from "./Tile";
import { COLOURS, MARKERS } from "./view";
import "./CountPanel.css";

/** The count of the round: each reason while its zone is highlighted, then the totals. */
export function CountPanel({ desk, model }: PartProps<KaosmosView, Model>) {
  const view = desk.view.value;
  const counting = model.count.now.value;
  const count = counting && view.counts[counting.seat];
  const current = useRef<HTMLLIElement>(null);
  const line = counting?.line ?? 0;
  useEffect(() => {
    const [row, box] = [current.current, current.current?.parentElement];
    if (row && box && line >= 0)
      box.scrollTop = row.offsetTop - box.clientHeight + row.clientHeight + 4;
  }, [line]);
  if (!counting || !count) return null;
  const lines = model.count.lines.value;
  const all = counting.line >= lines.length - 1;
  const markers = model.count.markersOf(counting.seat) ?? count.after;
  const lowest = Math.min(...COLOURS.map((colour) => markers[colour]));
  const last = !counting.playing;
  const filled = filledFor(desk.past.value, counting.seat);
  return (
    <div class="hand kaosmos-count">
      <div class="kaosmos-tabs" role="group" aria-label={t("kaosmos-count-of")}>
        {view.counts.map(({ seat }) => (
          <button
            key={seat}
            type="button"
            class={seat === counting.seat ? "toggle kaosmos-tab on" : "toggle kaosmos-tab"}
            aria-pressed={seat === counting.seat}
            title={desk.labels.value[seat]}
            onClick={() => model.count.show(seat)}
          >
            <Avatar look={LOOKS[seat] ?? 0} size={20} />
            <span class={view.players > 3 ? "hidden" : ""}>{desk.labels.value[seat]}</span>
          </button>
        ))}
      </div>
      <ol class="kaosmos-lines" tabindex={0} aria-label={t("kaosmos-count")}>
        {filled > 0 && (
          <li class="kaosmos-filled">
            <Back />
            <span>{t("kaosmos-filled", { count: filled })}</span>
          </li>
        )}
        {lines.slice(0, counting.line + 1).map((each, index) => (
          <li
            key={index}
            ref={index === counting.line ? current : undefined}
            class={`${index === counting.line ? "now" : ""}${each.points === 0 ? " zero" : ""}`}
          >
            <Sign marker={each.marker} size={18} />
            <span>
              {each.coloured && <span class="hidden">{t(`colour-${each.marker}`)}: </span>}
              {each.words}
            </span>
            <b
              class={`kaosmos-points${each.points < 0 ? " minus" : each.points === 0 ? " zero" : ""}`}
            >
              {signed(each.points)}
            </b>
          </li>
        ))}
      </ol>
      <ul class="kaosmos-sums">
        {MARKERS.map((marker) => {
          const low = marker !== "star" && markers[marker] === lowest;
          const gain = markers[marker] - count.before[marker];
          return (
            <li key={marker} class={low ? "low" : ""}>
              <Sign marker={marker} size={20} />
              <span class="hidden">{t(`colour-${marker}`)}</span>
              <b class={low ? "decides" : ""}>{markers[marker]}</b>
              {(all || gain !== 0) && <small>{signed(gain)}</small>}
              {low && all && <span class="hidden">({t("kaosmos-lowest")})</span>}
            </li>
          );
        })}
      </ul>
      <button
        type="button"
        class={last ? "button primary wide" : "button wide"}
        onClick={() => (last ? model.count.end() : model.count.show(counting.seat))}
      >
        {t(last ? "kaosmos-count-on" : "kaosmos-count-skip")}
      </button>
    </div>
  );
}

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Avatar, LOOKS } from "../../art/Avatar";
import { list, t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import type { PartProps } from "../types";
import { filledFor, signed, value } from "./count";
import type { Model } from "./model";
import { Back, Sign } from "./Tile";
import { COLOURS, MARKERS, type Markers } from "./view";
import "./CountPanel.css";

type Props = PartProps<KaosmosView, Model>;

/** The most points on a track. */
const MOST = 30;

/** The count of the round: each reason while its zone is highlighted, then the totals. */
export function CountPanel({ desk, model }: Props) {
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
  if (counting.all) return <Comparison desk={desk} model={model} />;
  const lines = model.count.lines.value.slice(0, counting.line + 1);
  const markers = model.count.markersOf(counting.seat) ?? count.after;
  const mine = counting.seat === desk.you.value;
  const name = desk.names.value[counting.seat] ?? "";
  const filled = filledFor(desk.past.value, counting.seat);
  const next = model.count.after(counting.seat);
  return (
    <div class="hand kaosmos-count">
      <p class="kaosmos-title">
        <span>{mine ? t("kaosmos-galaxy-yours") : t("kaosmos-galaxy-of", { name })}</span>
        <b>{signed(lines.reduce((sum, each) => sum + each.points, 0))}</b>
      </p>
      <ol class="kaosmos-lines" tabindex={0} aria-label={t("kaosmos-count")}>
        {filled > 0 && (
          <li class="kaosmos-filled">
            <Back />
            <span>{t("kaosmos-filled", { count: filled })}</span>
          </li>
        )}
        {lines.map((each, index) => (
          <li
            key={index}
            ref={index === counting.line ? current : undefined}
            class={`${index === counting.line ? "now" : ""}${each.points === 0 ? " zero" : ""}`}
          >
            <Sign marker={each.marker} size={22} />
            <span>
              {each.coloured && <span class="hidden">{t(`colour-${each.marker}`)}: </span>}
              {each.words}
            </span>
            <Points points={each.points} />
          </li>
        ))}
      </ol>
      <Sums before={count.before} markers={markers} />
      <Buttons>
        <button type="button" class="button wide" onClick={() => model.count.compare()}>
          {t("kaosmos-count-skip")}
        </button>
        <button type="button" class="button primary" onClick={() => model.count.next()}>
          {next === null
            ? t("kaosmos-count-compare")
            : t("kaosmos-count-next", { name: desk.labels.value[next] ?? "" })}
        </button>
      </Buttons>
    </div>
  );
}

function Buttons({ children }: { children: ComponentChildren }) {
  return <div class="kaosmos-count-buttons">{children}</div>;
}

function Points({ points }: { points: number }) {
  const kind = points < 0 ? " minus" : points === 0 ? " zero" : "";
  return <b class={`kaosmos-points${kind}`}>{signed(points)}</b>;
}

/** The four markers on their tracks: where they were, and what has been added. */
function Sums({ before, markers }: { before: Markers; markers: Markers }) {
  const lowest = Math.min(...COLOURS.map((colour) => markers[colour]));
  return (
    <div class="kaosmos-sums">
      <ul class="kaosmos-sum-rows">
        {MARKERS.map((marker) => {
          const gain = markers[marker] - before[marker];
          const low = marker !== "star" && markers[marker] === lowest;
          const [old, now] = [before[marker], markers[marker]].map(
            (points) => `${(100 * Math.max(0, points)) / MOST}%`,
          );
          return (
            <li key={marker} class={low ? "low" : ""}>
              <Sign marker={marker} size={22} />
              <span class="hidden">{t(`colour-${marker}`)}</span>
              <span class="kaosmos-track" aria-hidden="true">
                <i style={{ width: now }} />
                <i class={marker} style={{ width: gain < 0 ? now : old }} />
              </span>
              <b>{value(markers[marker])}</b>
              <small>{gain === 0 ? "" : signed(gain)}</small>
            </li>
          );
        })}
      </ul>
      <p>
        {t("kaosmos-sum", { low: value(lowest), star: value(markers.star) })}{" "}
        <strong>{value(lowest + markers.star)}</strong>
      </p>
    </div>
  );
}

/** After the last count: what each player has gained, the leaders first. */
function Comparison({ desk, model }: Props) {
  const { counts } = desk.view.value;
  const total = (markers: Markers) =>
    Math.min(...COLOURS.map((colour) => markers[colour])) + markers.star;
  const rows = counts
    .map((count) => ({ ...count, total: total(count.after) }))
    .sort((one, two) => two.total - one.total);
  const most = rows[0]?.total ?? 0;
  const ahead = rows.filter((each) => each.total === most);
  return (
    <div class="hand kaosmos-count all">
      <p class="kaosmos-title">
        <span>{t("kaosmos-count-all", { round: model.count.round.value })}</span>
      </p>
      <table class="kaosmos-compared">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">{t("player")}</span>
            </th>
            {MARKERS.map((marker) => (
              <th key={marker} scope="col">
                <Sign marker={marker} size={22} />
                <span class="hidden">{t(`colour-${marker}`)}</span>
              </th>
            ))}
            <th scope="col">{t("kaosmos-total")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ seat, before, after, total: sum }) => (
            <tr key={seat} class={sum === most ? "ahead" : ""}>
              <th scope="row">
                <span class="kaosmos-compared-name">
                  <Avatar look={LOOKS[seat] ?? 0} size={20} />
                  <span>{desk.labels.value[seat]}</span>
                </span>
              </th>
              {MARKERS.map((marker) => (
                <td key={marker}>
                  <Points points={after[marker] - before[marker]} />
                </td>
              ))}
              <td>
                <strong>{value(sum)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="kaosmos-ahead">
        {t("kaosmos-ahead", {
          names: list(ahead.map(({ seat }) => desk.labels.value[seat] ?? "")),
          count: ahead.length,
          total: value(most),
        })}
      </p>
      <Buttons>
        <button type="button" class="button primary wide" onClick={() => model.count.end()}>
          {t("kaosmos-count-on")}
        </button>
      </Buttons>
    </div>
  );
}

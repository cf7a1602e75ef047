import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import type { PartProps } from "../types";
import type { Model } from "./model";
import { Sign } from "./Tile";
import { MARKERS } from "./view";
import "./LiveCount.css";

/** What one's own galaxy would score now, if the view holds it: in each colour its zones, those that
 * score first, and for the star the longest path. */
export function LiveCount({ desk }: PartProps<KaosmosView, Model>) {
  const { counted, phase, timer } = desk.view.value;
  // Rendered before the first tile is laid, so that the layout does not shift under a finger.
  if (counted === undefined) return null;
  const ready = phase === "ready";
  return (
    <div class={ready ? "kaosmos-live ready" : "kaosmos-live"}>
      {ready && <p class="kaosmos-all-ready">{t("kaosmos-all-ready", { count: timer ?? 0 })}</p>}
      <p class="kaosmos-title">{t("kaosmos-live")}</p>
      <ul class="kaosmos-live-rows" aria-label={t("kaosmos-live")}>
        {MARKERS.map((marker) => {
          const points = counted?.points[marker] ?? 0;
          const zones = (counted?.zones ?? []).filter(
            (zone) => zone.colour === marker && zone.planets > 0,
          );
          const length = counted?.path.length ?? 0;
          const star = marker === "star";
          return (
            <li key={marker} class={points > 0 ? "some" : ""}>
              <button
                type="button"
                onClick={() => desk.hint(t(`kaosmos-scale-${marker}`))}
                title={t(`kaosmos-scale-${marker}`)}
              >
                <Sign marker={marker} size={26} />
                <span class="kaosmos-live-name">
                  {t(star ? "kaosmos-path-name" : `colour-${marker}`)}
                </span>
                <span class="kaosmos-beads">
                  {star ? (
                    <small>{t("kaosmos-path-tiles", { count: length })}</small>
                  ) : (
                    zones.map((zone, index) => (
                      <i key={index} class={zone.points > 0 ? "scores" : ""}>
                        {zone.planets}
                      </i>
                    ))
                  )}
                </span>
                <b>{points > 0 ? `+${points}` : "0"}</b>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

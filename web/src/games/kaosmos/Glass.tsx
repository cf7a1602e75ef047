import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../../i18n";
import { announce } from "../../ui/announce";
import { sound } from "../../ui/sound";
import type { PartProps } from "../types";
import type { Model } from "./model";
import type { KaosmosView } from "./view";

/** Seconds at which a screen reader is told. */
const TOLD = [30, 10];

/** The timer, as sand and as seconds; before it starts, how long it will run. */
export function Glass({ desk, model }: PartProps<KaosmosView, Model>) {
  const { glass, phase } = desk.view.value;
  const left = useSignal<number | null>(null);
  const running = phase === "building" && glass !== null;
  useEffect(() => {
    if (!running) return;
    let before = Number.POSITIVE_INFINITY;
    const tick = () => {
      const seconds = desk.secondsLeft();
      left.value = seconds === null ? null : Math.ceil(seconds * 4) / 4;
      if (seconds === null) return;
      const whole = Math.ceil(seconds);
      if (whole < before) {
        if (TOLD.includes(whole)) announce(t("kaosmos-seconds-left", { count: whole }));
        if (whole <= 5 && before <= 6) sound("tick");
        before = whole;
      }
    };
    tick();
    const timer = setInterval(tick, 250);
    return () => clearInterval(timer);
  }, [running, desk, left]);
  if (phase === "ready" && glass !== null) return <Waiting glass={glass} model={model} />;
  if (!running || glass === null) return null;
  const now = left.value ?? glass;
  const early = now > glass;
  const full = Math.max(0, Math.min(1, now / glass));
  const number = early ? Math.ceil(now - glass) : Math.ceil(now);
  return (
    <div
      class={`kaosmos-glass${early ? " early" : ""}${now <= 10 ? " soon" : ""}`}
      role="timer"
      aria-label={t(early ? "kaosmos-ready" : "kaosmos-seconds-left", { count: number })}
    >
      <Sand full={full} />
      <span aria-hidden="true">{number}</span>
    </div>
  );
}

/** While the last count is looked at, when building begins; then the full timer. */
function Waiting({ glass, model }: { glass: number; model: Model }) {
  const seconds = model.toStart.value;
  if (seconds !== null && model.count.now.value) {
    return (
      <div
        class="kaosmos-glass starts"
        role="timer"
        aria-label={t("kaosmos-ready", { count: seconds })}
      >
        <small aria-hidden="true">{t("kaosmos-starts-in")}</small>
        <span aria-hidden="true">{seconds}</span>
      </div>
    );
  }
  return (
    <div class="kaosmos-glass early">
      <Sand full={1} />
      <span aria-hidden="true">{glass}</span>
      <span class="hidden">{t("kaosmos-say-glass", { count: glass })}</span>
    </div>
  );
}

/** Sand above and below; both are cones that the level cuts. */
function Sand({ full }: { full: number }) {
  const [above, below] = [14 * Math.sqrt(full), 14 * Math.sqrt(1 - full)];
  return (
    <svg class="kaosmos-sand" viewBox="0 0 28 40" aria-hidden="true">
      <path
        class="kaosmos-glass-body"
        d="M4 3h20c0 9-7 12-8 17 1 5 8 8 8 17H4c0-9 7-12 8-17-1-5-8-8-8-17Z"
      />
      <g class="kaosmos-grains">
        <path d={`M14 20 ${14 - above * 0.62} ${20 - above}H${14 + above * 0.62}Z`} />
        <path
          d={`M5 36H23L${14 + (14 - below) * 0.55} ${36 - below}H${14 - (14 - below) * 0.55}Z`}
        />
        {full > 0 && full < 1 && (
          <rect class="kaosmos-stream" x="13.3" y="20" width="1.4" height="15" />
        )}
      </g>
      <path class="kaosmos-glass-rim" d="M2 2h24M2 38h24" />
    </svg>
  );
}

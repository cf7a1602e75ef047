import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { announce } from "../../ui/announce";
import { sound } from "../../ui/sound";
import type { PartProps } from "../types";
import type { Model } from "./model";
import "./Timer.css";

/** The remaining seconds that are announced to screen readers. */
const ANNOUNCED = [30, 10];

/** The timer, as sand and as seconds; before it starts, how long it will run. */
export function Timer({ desk, model }: PartProps<KaosmosView, Model>) {
  const { timer, phase } = desk.view.value;
  const left = useSignal<number | null>(null);
  const running = phase === "building" && timer !== null;
  useEffect(() => {
    if (!running) return;
    let before = Number.POSITIVE_INFINITY;
    const tick = () => {
      const seconds = desk.secondsLeft();
      left.value = seconds === null ? null : Math.ceil(seconds * 4) / 4;
      if (seconds === null) return;
      const whole = Math.ceil(seconds);
      if (whole < before) {
        if (ANNOUNCED.includes(whole)) announce(t("kaosmos-seconds-left", { count: whole }));
        if (whole <= 5 && before <= 6) sound("tick");
        before = whole;
      }
    };
    tick();
    const ticking = setInterval(tick, 250);
    return () => clearInterval(ticking);
  }, [running, desk, left]);
  if (desk.focus) return null; // looking back
  if (phase === "ready" && timer !== null) return <Waiting timer={timer} model={model} />;
  const looking = model.count.now.value || model.moments.timeUp.value;
  if (!running || timer === null || looking) return null;
  const now = left.value ?? timer;
  const early = now > timer;
  const full = Math.max(0, Math.min(1, now / timer));
  const number = early ? Math.ceil(now - timer) : Math.ceil(now);
  return (
    <div
      class={`kaosmos-timer${early ? " early" : ""}${now <= 10 ? " soon" : ""}`}
      role="timer"
      aria-label={t(early ? "kaosmos-ready" : "kaosmos-seconds-left", { count: number })}
    >
      <Sand full={full} />
      <span aria-hidden="true">{number}</span>
    </div>
  );
}

/** Before the start: the time until building begins, then the full timer. */
function Waiting({ timer, model }: { timer: number; model: Model }) {
  const seconds = model.toStart.value;
  if (seconds !== null && model.count.now.value) {
    return (
      <div
        class="kaosmos-timer starts"
        role="timer"
        aria-label={t("kaosmos-ready", { count: seconds })}
      >
        <small aria-hidden="true">{t("kaosmos-starts-in")}</small>
        <span aria-hidden="true">{seconds}</span>
      </div>
    );
  }
  if (model.count.now.value) return null;
  return (
    <div class="kaosmos-timer early">
      <Sand full={1} />
      <span aria-hidden="true">{timer}</span>
      <span class="hidden">{t("kaosmos-say-timer", { count: timer })}</span>
    </div>
  );
}

/** Sand above and below; both are cones that the level cuts. */
function Sand({ full }: { full: number }) {
  const [above, below] = [14 * Math.sqrt(full), 14 * Math.sqrt(1 - full)];
  return (
    <svg class="kaosmos-sand" viewBox="0 0 28 40" aria-hidden="true">
      <path
        class="kaosmos-timer-body"
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
      <path class="kaosmos-timer-rim" d="M2 2h24M2 38h24" />
    </svg>
  );
}

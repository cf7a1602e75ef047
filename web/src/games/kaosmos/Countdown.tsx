import { useEffect } from "preact/hooks";
import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { announce } from "../../ui/announce";
import { sound } from "../../ui/sound";
import type { PartProps } from "../types";
import type { Model } from "./model";
import "./Countdown.css";

type Props = PartProps<KaosmosView, Model>;

/** The seconds of the large countdown; before it players can look at the last count. */
const LAST_SECONDS = 3;

const TICK = 100;

/** Three, two, one: over the empty galaxy, until the timer starts and the tiles are turned up. */
export function Countdown({ desk, model }: Props) {
  useSecondsToStart({ desk, model });
  const seconds = model.toStart.value;
  if (seconds === null || model.count.now.value) return null;
  return (
    <div
      class={seconds > LAST_SECONDS ? "kaosmos-countdown early" : "kaosmos-countdown"}
      role="timer"
      aria-label={t("kaosmos-ready", { count: seconds })}
    >
      <div aria-hidden="true">
        <svg class="kaosmos-ring" viewBox="0 0 100 100">
          <circle cx="50" cy="50" r="47" />
          <circle
            cx="50"
            cy="50"
            r="47"
            pathLength={LAST_SECONDS}
            stroke-dasharray={`${Math.min(seconds, LAST_SECONDS)} ${LAST_SECONDS}`}
          />
        </svg>
        <p>{t(seconds > LAST_SECONDS ? "kaosmos-starts-in" : "kaosmos-get-ready")}</p>
        <b key={seconds}>{seconds}</b>
      </div>
    </div>
  );
}

/** Updates `model.toStart` by the server's clock, and plays the countdown's sounds. */
function useSecondsToStart({ desk, model }: Props): void {
  const ready = desk.view.value.phase === "ready";
  useEffect(() => {
    if (!ready) return;
    let ticks = 0;
    const tick = () => {
      const seconds = secondsToStart(desk);
      if (seconds === null) return;
      const last = seconds <= LAST_SECONDS;
      if (seconds !== model.toStart.peek()) {
        model.toStart.value = seconds;
        if (last) sound("tick");
      }
      if (!last) return;
      model.count.end();
      // Once, and a moment after other announcements.
      if (ticks++ === 2) announce(t("kaosmos-count-down"));
    };
    tick();
    const timer = setInterval(tick, TICK);
    return () => {
      clearInterval(timer);
      model.toStart.value = null;
    };
  }, [ready, desk, model]);
}

/** Whole seconds; at least 1 until the server has started the timer. */
function secondsToStart(desk: Props["desk"]): number | null {
  const { timer } = desk.view.peek();
  const left = desk.secondsLeft();
  return timer === null || left === null ? null : Math.max(1, Math.ceil(left - timer));
}

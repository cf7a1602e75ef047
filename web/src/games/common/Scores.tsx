import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Avatar, type Look } from "../../art/Avatar";
import { t } from "../../i18n";
import type { Seat } from "../../live/seat";
import type { Desk, Person } from "../types";
import "./Scores.css";

/** The cards of all players or teams. */
export function ScoreCards({ count, children }: { count: number; children: ComponentChildren }) {
  return <ol class={`score-cards of-${count}`}>{children}</ol>;
}

interface CardProps {
  acting: boolean;
  you?: boolean;
  children: ComponentChildren;
}

export function ScoreCard({ acting, you = false, children }: CardProps) {
  return <li class={`score-card${acting ? " acting" : ""}${you ? " you" : ""}`}>{children}</li>;
}

interface HeadProps {
  // biome-ignore lint/suspicious/noExplicitAny: people are the same in every game
  desk: Desk<any>;
  seats: Seat[];
  look: Look;
  /** What matters in this game, instead of what is known about the person. */
  note?: ComponentChildren;
  /** At the right end: the score. */
  children?: ComponentChildren;
}

/** Who it is: shape, name, what to know about them, and their clock. */
export function PersonHead({ desk, seats, look, note, children }: HeadProps) {
  const names = seats.map((seat) => desk.labels.value[seat] ?? "");
  const people = seats.flatMap((seat) => desk.people.value[seat] ?? []);
  const name = names.join(" + ");
  const shown = note ?? people.map((each) => each.note).find(Boolean);
  const acting = seats.some((seat) => desk.view.value.actors.includes(seat));
  return (
    <h3 class="person">
      <Avatar look={look} name={name} />
      <span class="person-words">
        <span class="score-name">
          <span>{name}</span>
          {people.some((each) => each.you) && name !== t("you") && (
            <em class="person-you">&nbsp;{t("that-is-you")}</em>
          )}
          {acting && <span class="hidden"> {t("plays")}</span>}
        </span>
        {shown && <small class="person-note">{shown}</small>}
      </span>
      {children}
      <PersonClock people={people} desk={desk} />
    </h3>
  );
}

function PersonClock({ people, desk }: { people: Person[]; desk: Desk }) {
  const clock = people
    .map((each) => each.clock)
    .find((each) => each && (each.left ?? each.deadline));
  const deadline = clock?.deadline ?? null;
  const [now, setNow] = useState(() => desk.now());
  useEffect(() => {
    if (deadline === null) return;
    setNow(desk.now());
    const timer = setInterval(() => setNow(desk.now()), 250);
    return () => clearInterval(timer);
  }, [deadline, desk]);
  if (!clock) return null;
  const left = Math.max(
    0,
    Math.ceil((deadline === null ? (clock.left ?? 0) : deadline - now) / 1000),
  );
  const soon = deadline !== null && left <= 10;
  return (
    <span
      class={`person-clock${deadline === null ? "" : " runs"}${soon ? " soon" : ""}`}
      role="timer"
    >
      {timeLeft(left)}
    </span>
  );
}

/** So many seconds, as one reads them on a clock. */
export function timeLeft(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 120) return t("hours", { count: Math.ceil(minutes / 60) });
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

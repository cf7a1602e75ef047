import { Avatar } from "../art/Avatar";
import type { Desk, GameModule } from "../games/types";
import { t } from "../i18n";
import type { Seat } from "../live/seat";
import type { Result } from "../protocol";
import { lookOf } from "./MoveList";
import type { Standing } from "./standing";
import "./Standings.css";

interface Props {
  game: GameModule;
  desk: Desk;
  result: Result;
  order: Standing[];
  you: Seat | null;
  nameOf(seats: Seat[]): string;
}

/** Everybody's rank and the numbers that led to it. Who played alone reads it as a sentence. */
export function Standings({ game, desk, result, order, you, nameOf }: Props) {
  const view = desk.view.value;
  const alone = order.length === 1;
  const rows = order.map(({ seats, place }) => {
    const own = result.scores[seats[0] ?? 0]; // a resigned game has none
    return { seats, place, own, figures: own && !alone ? game.tally(own, view) : [] };
  });
  const columns = rows[0]?.figures ?? [];
  return (
    <ol
      class={alone ? "places single" : "places"}
      style={{ "--columns": Math.max(1, columns.length) }}
    >
      {columns.length > 0 && (
        <li class="places-head" aria-hidden="true">
          {columns.map(({ label, sign }) => (
            <span key={label} class="figure">
              {sign ?? label}
            </span>
          ))}
        </li>
      )}
      {rows.map(({ seats, place, own, figures }) => {
        const [first = 0] = seats;
        const mine = you !== null && seats.includes(you);
        return (
          <li key={first} class={mine ? "you" : ""} data-seat={first}>
            {!alone && <span class={`place place-${Math.min(place, 4)}`}>{place}</span>}
            {!alone && <Avatar look={lookOf(game, desk, first)} name={nameOf(seats)} size={26} />}
            <strong>{nameOf(seats)}</strong>
            {alone && own && <span>{game.score(own, view)}</span>}
            {figures.map(({ label, sign, value, decides, bar }) => (
              <span key={label} class="figure">
                {sign ? (
                  <span class="figure-sign" aria-hidden="true">
                    {sign}
                  </span>
                ) : (
                  <small aria-hidden="true">{label}</small>
                )}
                <span class="hidden">{label} </span>
                <b class={decides ? "decides" : ""}>{value}</b>
                {bar && <i class="figure-bar" style={{ "--part": bar.part, "--ink": bar.ink }} />}
                {decides && columns.length > 3 && <span class="hidden"> {t("that-decides")}</span>}
              </span>
            ))}
          </li>
        );
      })}
    </ol>
  );
}

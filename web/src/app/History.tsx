import type { GameModule } from "../games/types";
import { has, t } from "../i18n";
import type { LiveTable } from "../live/table";
import type { GameEvent, TableEvent } from "../protocol";
import { Sheet } from "../ui/Sheet";
import { seatName } from "./desk";
import "./History.css";

interface HistoryProps {
  table: LiveTable;
  game: GameModule;
  names: string[];
  onClose(): void;
}

/** The history of the table, newest first. */
export function HistorySheet({ table, game, names, onClose }: HistoryProps) {
  const you = table.you.value;
  const events = [...table.history.value].reverse();
  return (
    <Sheet title={t("history")} onClose={onClose} kind="side">
      <ol class="history">
        {events.map((event) => (
          <HistoryItem key={event.number} event={event} game={game} names={names} you={you} />
        ))}
        {events.length === 0 && <li class="muted">{t("history-empty")}</li>}
      </ol>
    </Sheet>
  );
}

interface ItemProps {
  event: TableEvent;
  game: GameModule;
  names: string[];
  you: number | null;
}

function HistoryItem({ event, game, names, you }: ItemProps) {
  const happened = event.game.filter((each) => game.say(each, names, you) !== null);
  const words = tableWords(event, names, you);
  if (happened.length === 0 && !words) return null;
  return (
    <li>
      {words && <p>{words}</p>}
      {happened.map((each, index) => (
        <GameLine key={index} event={each} game={game} names={names} you={you} />
      ))}
    </li>
  );
}

interface LineProps {
  event: GameEvent;
  game: GameModule;
  names: string[];
  you: number | null;
}

export function GameLine({ event, game, names, you }: LineProps) {
  const { Line } = game;
  return Line ? (
    <Line event={event} names={names} you={you} />
  ) : (
    <p>{game.say(event, names, you)}</p>
  );
}

/** Events of the table itself in words: seats taken, players leaving. */
export function tableWords(
  event: TableEvent,
  names: string[],
  you: number | null = null,
): string | null {
  const { fact } = event;
  const id = `table-${fact.kind}`;
  if (!has(id)) return null;
  const seat = "seat" in fact ? fact.seat : 0;
  if (seat === you && has(`${id}-you`)) return t(`${id}-you`);
  const name = "name" in fact ? fact.name : null;
  return t(id, { name: seatName(names[seat] ?? name, seat) });
}

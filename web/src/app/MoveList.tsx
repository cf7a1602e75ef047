import { useEffect, useRef } from "preact/hooks";
import { Avatar, LOOKS } from "../art/Avatar";
import type { Decision, Desk, GameModule } from "../games/types";
import { t } from "../i18n";
import type { GameEvent } from "../protocol";
import type { IconName } from "../ui/Icon";
import { IconButton } from "../ui/IconButton";
import "./MoveList.css";

/** What has happened, by decisions: what was drawn between them belongs to the one before. */
export function decisionsOf(game: GameModule, past: GameEvent[]): Decision<GameEvent>[] {
  const decisions: Decision<GameEvent>[] = [];
  past.forEach((event, index) => {
    if (game.decides(event)) {
      const seat = "seat" in event ? event.seat : null;
      decisions.push({ seat, events: [], end: 0 });
    }
    const now = decisions.at(-1);
    if (!now) return;
    now.events.push(event);
    now.end = index + 1;
  });
  return decisions;
}

interface ListProps {
  game: GameModule;
  desk: Desk;
  /** All decisions; in a replay also those that are still to come. */
  decisions: Decision<GameEvent>[];
  /** How many of them have been made. */
  made?: number;
  /** At a click: where a replay goes. Without it the board shows the table as it was then. */
  onGo?(decision: Decision<GameEvent>): void;
}

/** The moves, one a line. The mouse shows a move on the board; a click goes to its moment. */
export function MoveList({ game, desk, decisions, made = decisions.length, onGo }: ListProps) {
  const list = useRef<HTMLOListElement>(null);
  const pointed = desk.pointed.value;
  const point = (decision: Decision<GameEvent> | null) => {
    if (desk.pointed.peek()?.pinned) return;
    desk.pointed.value = (decision && { decision, pinned: false }) as typeof pointed;
  };
  const go = (decision: Decision<GameEvent>) => {
    if (onGo) {
      desk.pointed.value = null;
      onGo(decision);
      return;
    }
    const same = pointed?.pinned && pointed.decision.end === decision.end;
    desk.pointed.value = (same ? null : { decision, pinned: true }) as typeof pointed;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest move is in sight
  useEffect(() => {
    const box = list.current;
    const row = box?.querySelector<HTMLElement>("[aria-current]");
    if (box && row && box.closest("dialog")) row.scrollIntoView({ block: "center" });
    else if (box && row)
      box.scrollTop = row.offsetTop - box.clientHeight / (onGo ? 2 : 1) + row.offsetHeight;
  }, [made]);
  return (
    <section class="move-list" aria-label={t("moves")}>
      <h2>
        {t("moves")} <small>{t("moves-count", { count: decisions.length })}</small>
      </h2>
      <ol ref={list} onPointerLeave={() => point(null)}>
        {decisions.map((decision, index) => (
          <li
            key={index}
            class={`${index >= made ? "yet" : ""}${game.begins?.(decision) ? " begins" : ""}`}
            aria-current={index === made - 1 ? "step" : undefined}
          >
            <button
              type="button"
              aria-pressed={pointed?.pinned === true && pointed.decision.end === decision.end}
              onPointerEnter={() => point(decision)}
              onFocus={() => point(decision)}
              onBlur={() => point(null)}
              onClick={() => go(decision)}
            >
              <span class="move-number">{index + 1}</span>
              <DrawnMove game={game} desk={desk} decision={decision} />
            </button>
          </li>
        ))}
        {decisions.length === 0 && <li class="muted">{t("history-empty")}</li>}
      </ol>
      {!onGo && decisions.length > 0 && (
        <Steps
          at={
            pointed?.pinned ? decisions.findIndex(({ end }) => end === pointed.decision.end) : null
          }
          count={decisions.length}
          go={(at) => {
            const decision = decisions[at];
            desk.pointed.value = (decision && { decision, pinned: true }) as typeof pointed;
            if (!decision) desk.pointed.value = null;
          }}
        />
      )}
    </section>
  );
}

interface StepsProps {
  /** The move that the board shows; null: the present. */
  at: number | null;
  count: number;
  /** Beyond the last move: the present. */
  go(at: number): void;
}

/** Back and forth through the moves, and back to the present. */
function Steps({ at, count, go }: StepsProps) {
  const now = at ?? count;
  const button = (icon: IconName, words: string, to: number, off: boolean) => (
    <IconButton icon={icon} label={words} disabled={off} onClick={() => go(to)} />
  );
  return (
    <div class="move-steps">
      {button("first", t("replay-first"), 0, now === 0)}
      {button("back", t("replay-back"), now - 1, now === 0)}
      {button("next", t("replay-next"), now + 1, at === null)}
      {button("last", t("back-to-now"), count, at === null)}
    </div>
  );
}

interface DrawnProps {
  game: GameModule;
  desk: Desk;
  decision: Decision<GameEvent>;
}

/** A decision in one line: whose it was, the tile, where it went and what it scored. */
export function DrawnMove({ game, desk, decision }: DrawnProps) {
  const names = desk.names.value;
  const { seat } = decision;
  return (
    <>
      {seat !== null && (
        <>
          <Avatar look={lookOf(game, desk, seat)} size={18} />
          <span class="hidden">{names[seat]} </span>
        </>
      )}
      <game.Move decision={decision} names={names} />
    </>
  );
}

export function lookOf(game: GameModule, desk: Desk, seat: number) {
  return game.look?.(desk.view.value, seat) ?? LOOKS[seat] ?? 0;
}

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { HintLine } from "../games/common/Hints";
import type { Desk, GameModule } from "../games/types";
import { t } from "../i18n";
import { announce } from "../ui/announce";
import { sheetIsOpen } from "../ui/Sheet";
import { textBoard } from "../ui/settings";
import { type Sound, sound } from "../ui/sound";
import { hinted, unhint } from "./desk";
import { tick, useFlight } from "./fly";
import "./Play.css";

interface PlayProps {
  game: GameModule;
  desk: Desk;
  /** The bar above the board. The argument: what the game says instead of whose turn it is. */
  top: ComponentChildren | ((heading: string | null) => ComponentChildren);
  /** Overlays: results, sheets. The argument: whether the board is still animating. */
  above?(counting: boolean): ComponentChildren;
  /** Transient messages above the hints. */
  toasts?: ComponentChildren;
  /** Below the hand, such as the buttons of a replay. */
  foot?: ComponentChildren;
  /** The column beside the board where there is room for three: the moves, or the result. */
  side?: ComponentChildren;
  /** What kind of table it is: the end gives the board more room. */
  kind?: "" | "ended" | "replay";
}

/** The table: scores, board and hand, all on one screen. */
export function Play(props: PlayProps) {
  const { game, desk, top, above, toasts, foot, side, kind = "" } = props;
  const model = useMemo(() => game.model(desk), [game, desk]);
  useKeys(game, desk, model);
  useVoice(game, desk);
  useFlight(game, desk);
  const { Board, Hand, Scores, TextBoard, Defs } = game;
  const counting = game.counting?.(model) ?? false;
  const shape = kind === "ended" && counting ? "" : kind;
  return (
    <>
      <div class="table-page">
        <svg class="defs" width="0" height="0" aria-hidden="true">
          <Defs />
        </svg>
        <div class={`table ${game.name}-table ${shape}`}>
          {typeof top === "function" ? top(game.heading?.(desk, model) ?? null) : top}
          <section class="part-scores" aria-label={t("scores")} tabindex={0}>
            <h2 class="hidden">{t("scores")}</h2>
            <Scores desk={desk} model={model} />
          </section>
          <main class="part-board">
            <Board desk={desk} model={model} />
          </main>
          <Say game={game} desk={desk} model={model} toasts={toasts} />
          <section class="part-hand" aria-label={t("hand")}>
            <Hand desk={desk} model={model} />
            {foot}
          </section>
          {side && <aside class="part-side">{side}</aside>}
          {above?.(counting)}
        </div>
      </div>
      <section
        class={textBoard.value === "on" ? "part-text" : "part-text hidden"}
        aria-label={t("text-board")}
      >
        <TextBoard desk={desk} model={model} />
      </section>
    </>
  );
}

interface SayProps {
  game: GameModule;
  desk: Desk;
  model: unknown;
  toasts: ComponentChildren;
}

/** One sentence between board and hand: a word to the player, what the move in hand does, or what
 * is to be done. Its place is always there, so that nothing moves when it comes. */
function Say({ game, desk, model, toasts }: SayProps) {
  const banner = game.banner(desk);
  const effect = game.effect?.(desk, model) ?? null;
  return (
    <section class="part-say" aria-label={t("about-the-move")}>
      {effect && <div class="effect">{effect}</div>}
      {banner && (
        <p class={effect ? "banner under" : "banner"} role="status">
          {banner}
        </p>
      )}
      <div class="toasts">
        {toasts}
        <HintLine game={game} desk={desk} model={model} />
        <Hint desk={desk} />
      </div>
    </section>
  );
}

const HINT_MS = 4000;

/** A hint. It disappears after a while, or when the view changes. */
function Hint({ desk }: { desk: Desk }) {
  const { text, n } = hinted.value;
  const { number } = desk.view.value;
  useEffect(() => {
    if (!text) return;
    announce(text);
    const timer = setTimeout(() => unhint(n), HINT_MS);
    return () => clearTimeout(timer);
  }, [text, n]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another position, other hints
  useEffect(() => unhint(), [number]);
  return text ? <p class="toast">{text}</p> : null;
}

/** Keys for the game, wherever on the page they are pressed, from the moment it is shown. */
function useKeys(game: GameModule, desk: Desk, model: unknown): void {
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (turnKey(event, desk)) return;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as Element | null;
      if (target?.closest("input, select, textarea, [contenteditable]") || sheetIsOpen()) return;
      const acts = event.key === "Enter" || event.key === " ";
      if (acts && target?.closest("button, a, summary")) return;
      if (!game.key?.(event, desk, model)) return;
      event.preventDefault();
      // Move the focus from a tile of the hand to the board, so that Enter lays the tile.
      if (target?.closest(".part-hand button")) board()?.focus();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [game, desk, model]);
}

/** Keys for the end of our turn: Enter ends it, U or Ctrl+Z undoes. */
function turnKey(event: KeyboardEvent, desk: Desk): boolean {
  const target = event.target as Element | null;
  if (target?.closest("input, select, textarea, [contenteditable]") || sheetIsOpen()) return false;
  const key = event.key.toLowerCase();
  const undoes = key === "u" || (key === "z" && (event.ctrlKey || event.metaKey));
  const ends = key === "enter" && desk.turn.peek() !== null && !target?.closest("button, a");
  if (undoes && desk.undoable.peek()) desk.undo();
  else if (ends) desk.endTurn();
  else return false;
  event.preventDefault();
  return true;
}

function board(): SVGElement | null {
  return document.querySelector(".part-board [role=application]");
}

/** Vibration for a capture, and for a marker at its end: ms on and off. */
const FELT: Partial<Record<Sound, number[]>> = {
  capture: [14, 40, 22],
  genial: [15, 50, 15, 50, 40],
};

/** Announces events to screen readers, plays their sounds and lets the device vibrate. */
function useVoice(game: GameModule, desk: Desk): void {
  const fresh = desk.fresh.value;
  useEffect(() => {
    const you = desk.you.peek();
    const lines = fresh
      .map((event) => game.say(event, desk.names.peek(), you))
      .filter((line): line is string => line !== null);
    announce(lines.slice(-6).join(" "));
    const sounds = fresh.map((event) => game.sound?.(event, you)).filter(Boolean);
    const last = sounds.at(-1);
    if (last) sound(last);
    if (last && FELT[last]) tick(FELT[last]);
  }, [fresh, game, desk]);
}

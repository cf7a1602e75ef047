import type { ComponentChildren } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { Desk, GameModule } from "../games/types";
import { t } from "../i18n";
import { announce } from "../ui/announce";
import { sheetIsOpen } from "../ui/Sheet";
import { textBoard } from "../ui/settings";
import { sound } from "../ui/sound";
import { hinted, unhint } from "./desk";

interface PlayProps {
  game: GameModule;
  desk: Desk;
  /** The bar above the board. */
  top: ComponentChildren;
  /** More on top of everything: results, sheets; told whether the board still tells something. */
  above?(telling: boolean): ComponentChildren;
  /** More words that go away by themselves, above the hints. */
  toasts?: ComponentChildren;
  /** Below the hand, such as the buttons of a replay. */
  foot?: ComponentChildren;
}

/** The table: scores, board and hand, all on one screen. */
export function Play({ game, desk, top, above, toasts, foot }: PlayProps) {
  const model = useMemo(() => game.model(desk), [game, desk]);
  useKeys(game, desk, model);
  useVoice(game, desk);
  const banner = game.banner(desk);
  const { Board, Hand, Scores, TextBoard } = game;
  return (
    <>
      <div class={`table ${game.name}-table`}>
        {top}
        <section class="part-scores" aria-label={t("scores")} tabindex={0}>
          <h2 class="hidden">{t("scores")}</h2>
          <Scores desk={desk} model={model} />
        </section>
        <main class="part-board">
          {banner && (
            <p class="banner" role="status">
              {banner}
            </p>
          )}
          <Board desk={desk} model={model} />
        </main>
        <section class="part-hand" aria-label={t("hand")}>
          <Hand desk={desk} model={model} />
          {foot}
        </section>
        <div class="toasts">
          {toasts}
          <Hint desk={desk} />
        </div>
        {above?.(game.telling?.(model) ?? false)}
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

const HINT_MS = 4000;

/** A word to the player. It goes away by itself, or when something happens. */
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

/** Keys for the game, wherever on the page they are pressed. */
function useKeys(game: GameModule, desk: Desk, model: unknown): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as Element | null;
      if (target?.closest("input, select, textarea, [contenteditable]") || sheetIsOpen()) return;
      const acts = event.key === "Enter" || event.key === " ";
      if (acts && target?.closest("button, a, summary")) return;
      if (!game.key?.(event, desk, model)) return;
      event.preventDefault();
      // From a tile of the hand the keys go on to the board, so that Enter then lays it.
      if (target?.closest(".part-hand button")) board()?.focus();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [game, desk, model]);
}

function board(): SVGElement | null {
  return document.querySelector(".part-board [role=application]");
}

/** Say and sound what happens. */
function useVoice(game: GameModule, desk: Desk): void {
  const fresh = desk.fresh.value;
  useEffect(() => {
    const you = desk.you.peek();
    const lines = fresh
      .map((event) => game.say(event, desk.names.peek(), you))
      .filter((line): line is string => line !== null);
    announce(lines.slice(-6).join(" "));
    const heard = fresh.map((event) => game.sound?.(event, you)).filter(Boolean);
    const last = heard.at(-1);
    if (last) sound(last);
  }, [fresh, game, desk]);
}

import { useEffect, useRef } from "preact/hooks";
import type { Desk, GameModule } from "../games/types";
import { t } from "../i18n";
import type { GameEvent } from "../protocol";
import { IconButton } from "../ui/IconButton";
import { decisionsOf } from "./MoveList";

/** How long each move is shown, in ms. */
const EACH = 900;

/** Shows again, one after the other, the moves that others have made since ours. */
export function SinceMine({ game, desk }: { game: GameModule; desk: Desk }) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (desk.you.value === null || !game.landing) return null;
  const since = sinceMine(game, desk);
  const show = (index: number) => {
    clearTimeout(timer.current);
    const decision = since[index];
    desk.pointed.value = (decision ? { decision, pinned: true } : null) as Desk["pointed"]["value"];
    if (decision) timer.current = setTimeout(() => show(index + 1), EACH);
  };
  const words = t("since-mine", { count: since.length });
  return (
    <IconButton
      icon="again"
      label={words}
      class="since-mine"
      disabled={since.length === 0}
      onClick={() => show(desk.pointed.peek()?.pinned ? since.length : 0)}
    />
  );
}

/** What others have decided since our last move; nothing where all play at once. */
export function sinceMine(game: GameModule, desk: Desk) {
  const you = desk.you.value;
  if (you === null || !game.landing) return [];
  const decisions = decisionsOf(game, desk.past.value as GameEvent[]);
  return decisions.slice(1 + decisions.findLastIndex(({ seat }) => seat === you));
}

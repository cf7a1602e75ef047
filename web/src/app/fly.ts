import { useEffect } from "preact/hooks";
import type { Desk, GameModule } from "../games/types";
import { moves } from "../ui/settings";

/** From a panel to the board, and from the hand, in ms. */
const FROM_PANEL = 460;
const FROM_HAND = 200;

/** A tile that was laid travels: ours from the hand, another's from the card of its player. */
export function useFlight(game: GameModule, desk: Desk): void {
  const fresh = desk.fresh.value;
  useEffect(() => {
    if (!moves()) return;
    for (const event of fresh) {
      const landed = game.landing?.(event);
      if (!landed) continue;
      const tile = document.querySelector<SVGGElement>(`svg.board [data-at="${landed.at}"]`);
      const own = landed.seat === desk.you.peek();
      const from = document.querySelector(
        own ? ".part-hand" : `.score-card:nth-child(${landed.seat + 1})`,
      );
      if (tile && from) fly(tile, from, own ? FROM_HAND : FROM_PANEL);
    }
  }, [fresh, game, desk]);
}

function fly(tile: SVGGElement, from: Element, duration: number): void {
  const inner = tile.firstElementChild;
  const scale = tile.getScreenCTM()?.a;
  if (!inner?.animate || !scale) return;
  const [start, end] = [from.getBoundingClientRect(), tile.getBoundingClientRect()];
  const x = (start.x + start.width / 2 - end.x - end.width / 2) / scale;
  const y = (start.y + start.height / 2 - end.y - end.height / 2) / scale;
  inner.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "translate(0, 0)" }], {
    duration,
    easing: "cubic-bezier(0.5, 0, 0.2, 1)",
  });
}

/** A short tick in the hand, where the device has one and somebody has touched the page. */
export function tick(): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(12);
}

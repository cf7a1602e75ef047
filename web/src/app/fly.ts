import { useLayoutEffect } from "preact/hooks";
import type { Desk, GameModule } from "../games/types";
import { moves } from "../ui/settings";

/** From a panel to the board, from the hand, and from the board to a panel, in ms. */
const FROM_PANEL = 460;
const FROM_HAND = 200;
const TO_PANEL = 440;

/** A tile that was laid travels: ours from the hand, another's from the card of its player. One that
 * was captured goes to the card of who took it. */
export function useFlight(game: GameModule, desk: Desk): void {
  const fresh = desk.fresh.value;
  // Before the next paint: the tile would be seen where it lands.
  useLayoutEffect(() => {
    if (!moves()) return;
    for (const event of fresh) {
      const landed = game.landing?.(event);
      if (!landed) continue;
      const tile = document.querySelector<SVGGElement>(`svg.board [data-at="${landed.at}"]`);
      const own = landed.seat === desk.you.peek();
      const from = own ? document.querySelector(".part-hand") : cardOf(landed.seat);
      const time = !tile || !from?.checkVisibility() ? 0 : own ? FROM_HAND : FROM_PANEL;
      if (tile && from && time) fly(tile, from, time);
      // What follows from it is shown when it has landed.
      document.documentElement.style.setProperty("--landing", `${time}ms`);
    }
    for (const taken of document.querySelectorAll<SVGGElement>("svg.board [data-taken-by]")) {
      const card = cardOf(Number(taken.dataset.takenBy));
      if (card) flyAway(taken, card);
    }
  }, [fresh, game, desk]);
}

function cardOf(seat: number): Element | null {
  return document.querySelector(`.score-card:nth-child(${seat + 1})`);
}

/** From the middle of one element to that of another, in the units of a drawing. */
function way(start: Element, end: Element, scale: number): [x: number, y: number] {
  const [from, to] = [start.getBoundingClientRect(), end.getBoundingClientRect()];
  return [
    (to.x + to.width / 2 - from.x - from.width / 2) / scale,
    (to.y + to.height / 2 - from.y - from.height / 2) / scale,
  ];
}

function fly(tile: SVGGElement, from: Element, duration: number): void {
  const inner = tile.firstElementChild;
  const scale = tile.getScreenCTM()?.a;
  if (!inner?.animate || !scale) return;
  const [x, y] = way(tile, from, scale);
  inner.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "translate(0, 0)" }], {
    duration,
    easing: "cubic-bezier(0.5, 0, 0.2, 1)",
  });
}

/** It is lifted, then flies in a low arc. */
function flyAway(tile: SVGGElement, to: Element): void {
  const scale = tile.getScreenCTM()?.a;
  if (!tile.animate || !scale) return;
  const [x, y] = way(tile, to, scale);
  tile.animate(
    [
      { transform: "translate(0, 0)", opacity: 1 },
      { transform: "translate(0, -6px)", opacity: 1, offset: 0.27 },
      {
        transform: `translate(${x * 0.5}px, ${y * 0.5 - 14}px) scale(.9)`,
        opacity: 1,
        offset: 0.6,
      },
      { transform: `translate(${x}px, ${y}px) scale(.5)`, opacity: 0.2 },
    ],
    { duration: TO_PANEL, easing: "cubic-bezier(0.5, 0, 0.2, 1)" },
  );
}

/** A short vibration, where the device can and the page has been touched. */
export function tick(pattern: number | number[] = 12): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

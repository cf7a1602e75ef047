import { boardElement, finger, lifted, toBoard } from "./pointer";
import "./Loupe.css";

/** Its width, how much it enlarges, and how far above the finger its middle is; in screen pixels. */
const SIZE = 168;
const ZOOM = 2.2;
const ABOVE = 124;
/** Cells that are at least so wide need no loupe. */
const WIDE = 30;

/** The group of the board that the loupe shows again. */
export const INSIDE = "board-inside";

/** Enlarges what is under a finger that drags a tile over small cells. */
export function Loupe({ cell }: { cell: number }) {
  const at = finger.value;
  const svg = boardElement();
  const scale = svg?.getScreenCTM()?.a;
  if (!at || !svg || !scale || cell * scale >= WIDE) return null;
  const hover = lifted(at);
  const box = svg.getBoundingClientRect();
  const over = hover.x > box.left && hover.x < box.right && hover.y > box.top;
  const middle = toBoard(svg, hover);
  if (!over || hover.y > box.bottom || !middle) return null;
  const half = SIZE / 2;
  const reach = half / (scale * ZOOM);
  // Near the upper edge it stands beside the finger.
  const beside = at.x < innerWidth / 2 ? ABOVE : -ABOVE;
  const high = at.y - ABOVE - half < 4;
  const x = Math.min(Math.max(high ? at.x + beside : at.x, half + 4), innerWidth - half - 4);
  const y = Math.max(high ? at.y : at.y - ABOVE, half + 4);
  return (
    <svg
      class="loupe"
      viewBox={`${middle.x - reach} ${middle.y - reach} ${2 * reach} ${2 * reach}`}
      aria-hidden="true"
      style={{ transform: `translate(${x - half}px, ${y - half}px)` }}
    >
      <use href={`#${INSIDE}`} />
    </svg>
  );
}

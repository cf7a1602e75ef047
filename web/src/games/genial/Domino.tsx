import { hexPath, SIZE, vector, WIDTH } from "./hex";
import { Sign } from "./Sign";
import type { Colour, Tile } from "./view";

const HALF = hexPath(SIZE * 0.93);

/** What makes one piece of two chips: it covers the gap between a chip and its neighbour. */
export function Bridge({ way }: { way: number }) {
  const { x, y } = vector(way);
  return (
    <rect
      class="genial-bridge"
      x={WIDTH / 2 - 2.4}
      y="-4.2"
      width="4.8"
      height="8.4"
      transform={`rotate(${(Math.atan2(y, x) * 180) / Math.PI})`}
    />
  );
}

/** A tile: two dark hexagons that are one piece, the first at 0, 0. */
export function Domino({ tile, way }: { tile: Tile; way: number }) {
  const { x, y } = vector(way);
  return (
    <>
      <path class="genial-chip" d={HALF} />
      <path class="genial-chip" d={HALF} transform={`translate(${x} ${y})`} />
      <Bridge way={way} />
      <Sign colour={tile.charAt(0) as Colour} />
      <g transform={`translate(${x} ${y})`}>
        <Sign colour={tile.charAt(1) as Colour} />
      </g>
    </>
  );
}

import { HintBadge } from "../common/Hints";
import type { Point } from "../common/pointer";
import type { Desk } from "../types";
import { Domino } from "./Domino";
import { pointOf, wayTo } from "./hex";
import type { Cell } from "./view";

/** How far the middles of two badges are apart at least. */
const CLEAR = 10;
/** Where a badge may stand: along the tile, and above or below it. */
const STANDS = [0, 1, 0.5].flatMap((along) => [-7, 7].map((down) => [along, down] as const));

/** Where each badge stands, the best first: none over another. */
export function badgesOf(moves: { first: Cell; second: Cell }[]): Point[] {
  const taken: Point[] = [];
  for (const { first, second } of moves) {
    const [a, b] = [pointOf(first), pointOf(second)];
    const stands = STANDS.map(([along, down]) => ({
      x: a.x + (b.x - a.x) * along,
      y: a.y + (b.y - a.y) * along + down,
    }));
    const isClear = ({ x, y }: Point) =>
      taken.every((other) => Math.hypot(other.x - x, other.y - y) >= CLEAR);
    taken.push(stands.find(isClear) ?? stands[0]!);
  }
  return taken;
}

interface Props {
  desk: Pick<Desk, "hints">;
  /** The tile in hand: then only what is suggested for it is drawn. */
  chosen: string | null;
}

/** The moves that a bot suggests, best on top; a swap is said, not drawn. */
export function HintTiles({ desk, chosen }: Props) {
  const drawn = desk.hints.value.flatMap(({ move }, index) => {
    const [tile = "", first, second] = move.split(" ");
    if (!first || !second || (chosen ?? tile) !== tile) return [];
    return [{ tile, first, second, rank: index + 1 }];
  });
  return (
    <g class="hints" aria-hidden="true">
      {drawn.toReversed().map(({ tile, first, second, rank }) => {
        const { x, y } = pointOf(first);
        return (
          <g key={rank} class={`hint-tile rank-${rank}`} transform={`translate(${x} ${y})`}>
            <Domino tile={tile} way={wayTo(first, second)} up={0.6} />
          </g>
        );
      })}
      {badgesOf(drawn).map(({ x, y }, index) => {
        const rank = drawn[index]?.rank ?? 0;
        return <HintBadge key={rank} x={x} y={y} rank={rank} />;
      })}
    </g>
  );
}

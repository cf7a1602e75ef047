import { HintBadge } from "../common/Hints";
import type { Desk } from "../types";
import { Domino } from "./Domino";
import { pointOf, wayTo } from "./hex";

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
      {drawn.toReversed().map(({ first, second, rank }) => {
        const [a, b] = [pointOf(first), pointOf(second)];
        // Moves on the same cells: their badges stand one after the other along the tile.
        const along = (rank - 1) / 2;
        return (
          <HintBadge
            key={rank}
            x={a.x + (b.x - a.x) * along}
            y={a.y + (b.y - a.y) * along - 7}
            rank={rank}
          />
        );
      })}
    </g>
  );
}

import { HintBadge } from "../common/Hints";
import type { Desk } from "../types";
import { pointOf } from "./grid";
import { BlockTile } from "./Sign";
import { readMove } from "./view";

const CORNERS = [
  [-6, -6],
  [6, -6],
  [6, 6],
] as const;

interface Props {
  desk: Pick<Desk, "hints">;
  /** The tile in hand: then only what is suggested for it is drawn. */
  chosen: string | null;
}

/** The moves that a bot suggests, best on top; a discard is said, not drawn. */
export function HintTiles({ desk, chosen }: Props) {
  const drawn = desk.hints.value.flatMap(({ move }, index) => {
    const { tile, cell } = readMove(move);
    return cell === null || (chosen ?? tile) !== tile
      ? []
      : [{ tile, at: pointOf(cell), rank: index + 1 }];
  });
  return (
    <g class="hints" aria-hidden="true">
      {drawn.toReversed().map(({ tile, at, rank }) => (
        <g key={rank} class={`hint-tile rank-${rank}`} transform={`translate(${at.x} ${at.y})`}>
          <BlockTile tile={tile} up={1} />
        </g>
      ))}
      {drawn.toReversed().map(({ at, rank }) => {
        const [right = 0, down = 0] = CORNERS[rank - 1] ?? [];
        return <HintBadge key={rank} x={at.x + right} y={at.y + down} rank={rank} />;
      })}
    </g>
  );
}

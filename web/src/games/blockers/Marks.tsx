import { useEffect } from "preact/hooks";
import type { PartProps } from "../types";
import { CELLS, matches, pointOf } from "./grid";
import type { Model } from "./model";
import { type BlockersView, colourOf, coloursOf } from "./view";

const CORNERS = [0, 90, 180, 270];

/** What may be captured, and what matches but is protected. */
export function Marks({ desk, model }: PartProps<BlockersView, Model>) {
  const view = desk.view.value;
  const tile = model.tile.value;
  const targets = model.targets.value;
  if (tile === null || targets.size === 0 || model.why.value) return null;
  const own = coloursOf(view, desk.you.value ?? -1);
  const others = CELLS.filter((cell) => {
    const there = view.board[cell];
    return there && !own.includes(colourOf(there)) && matches(tile, cell);
  });
  return (
    <>
      {others.map((cell) => {
        const { x, y } = pointOf(cell);
        if (targets.has(cell)) {
          return (
            <g key={cell} class="blockers-capture" transform={`translate(${x} ${y})`}>
              {CORNERS.map((turn) => (
                <g key={turn} transform={`rotate(${turn})`}>
                  <path class="blockers-corner-edge" d="M9.6 4.6V9.6H4.6" />
                  <path class="blockers-corner" d="M9.6 4.6V9.6H4.6" />
                </g>
              ))}
            </g>
          );
        }
        return (
          <g key={cell} class="blockers-lock" transform={`translate(${x + 6} ${y + 5.6})`}>
            <circle r="4.1" />
            <path class="blockers-lock-body" d="M-2.1-.6H2.1V2.3H-2.1Z" />
            <path class="blockers-lock-bow" d="M-1.2-.6V-1.5A1.2 1.2 0 0 1 1.2-1.5V-.6" />
          </g>
        );
      })}
    </>
  );
}

/** As long as the words beside it are on the screen. */
const WHY_MS = 5000;

/** Why a tile is protected: what its group would fall into. */
export function Parts({ model }: { model: Model }) {
  const why = model.why.value;
  useEffect(() => {
    if (!why) return;
    const timer = setTimeout(() => {
      model.why.value = null;
    }, WHY_MS);
    return () => clearTimeout(timer);
  }, [why, model]);
  if (!why) return null;
  const at = pointOf(why.cell);
  return (
    <g class="blockers-why" aria-hidden="true">
      {why.parts.map((part, index) => (
        <g key={index} class={`blockers-part blockers-part-${index % 4}`}>
          {part.map((cell) => {
            const { x, y } = pointOf(cell);
            return (
              <rect
                key={cell}
                class="blockers-part-tile"
                x={x - 9}
                y={y - 9}
                width="18"
                height="18"
                rx="3"
              />
            );
          })}
          {part.map((cell) => {
            const { x, y } = pointOf(cell);
            return (
              <text key={cell} class="blockers-part-number" x={x} y={y + 4}>
                {index + 1}
              </text>
            );
          })}
        </g>
      ))}
      <path class="blockers-cut" d={`M${at.x - 6} ${at.y - 6}l12 12m0-12l-12 12`} />
    </g>
  );
}

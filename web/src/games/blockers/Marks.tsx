import { useEffect } from "preact/hooks";
import type { BlockersView } from "../../protocol";
import type { PartProps } from "../types";
import { CELLS, cellOutline, matches, pointOf } from "./grid";
import type { Model } from "./model";
import { colourOf, coloursOf } from "./view";
import "./Marks.css";

/** Four brackets around a tile. */
const BRACKETS =
  "M-9.4-4.6V-6.6A2.8 2.8 0 0 1-6.6-9.4H-4.6M4.6-9.4H6.6A2.8 2.8 0 0 1 9.4-6.6V-4.6M9.4 4.6V6.6A2.8 2.8 0 0 1 6.6 9.4H4.6M-4.6 9.4H-6.6A2.8 2.8 0 0 1-9.4 6.6V4.6";

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
              <path class="blockers-corner-edge" d={BRACKETS} />
              <path class="blockers-corner" d={BRACKETS} />
            </g>
          );
        }
        return (
          <g key={cell} class="blockers-lock" transform={`translate(${x} ${y})`}>
            <rect x="-8.8" y="-8.8" width="17.6" height="17.6" rx="3" />
            <circle r="5.6" />
            <path d="M-2.3-.4H2.3V2.8H-2.3ZM-1.4-.4V-1.6A1.4 1.4 0 0 1 1.4-1.6V-.4" />
          </g>
        );
      })}
    </>
  );
}

/** As long as its hint is shown. */
const WHY_MS = 5000;

/** Why a tile is protected: the parts that its group would split into. */
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
  return (
    <g class="blockers-why" aria-hidden="true">
      {why.parts.map((part, index) => {
        const path = cellOutline(part, 0.4);
        const { x, y } = pointOf(part[0] ?? why.cell);
        return (
          <g key={index} class="blockers-part">
            <path class="blockers-part-edge" d={path} />
            <path class={index > 0 ? "blockers-part-line dashed" : "blockers-part-line"} d={path} />
            <g transform={`translate(${x - 8.5} ${y - 8.5})`}>
              <circle class="blockers-part-ground" r="5" />
              <text class="blockers-part-number" y="2.3">
                {index + 1}
              </text>
            </g>
          </g>
        );
      })}
    </g>
  );
}

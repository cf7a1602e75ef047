import type { ComponentChildren, RefObject } from "preact";
import { t } from "../../i18n";
import { INSIDE, Loupe } from "./Loupe";
import type { PressProps } from "./pointer";
import "./BoardSvg.css";

interface Props {
  /** The game; its words name the board. */
  game: string;
  svg?: RefObject<SVGSVGElement | null>;
  box: string;
  /** Whether a move can be made now. */
  open: boolean;
  press: PressProps;
  /** What the wheel turns. */
  model?: { turn?(by: 1 | -1): void };
  class?: string;
  /** The width of a cell, where a finger needs a loupe for small ones. */
  cell?: number;
  children: ComponentChildren;
}

/** A wheel that glides gives many events for one turn, in ms. */
const GLIDE = 90;
let turned = 0;

function turnOnce(turn: () => void, now: number): void {
  if (now - turned < GLIDE) return;
  turned = now;
  turn();
}

/** The board that has the keyboard and the pointer. */
export function BoardSvg(props: Props) {
  const { game, svg, box, open, press, model, class: more = "", cell, children } = props;
  const wheel = (event: WheelEvent) => {
    if (!open || !model?.turn || event.ctrlKey || Math.abs(event.deltaY) < 4) return;
    event.preventDefault();
    turnOnce(() => model.turn?.(event.deltaY > 0 ? 1 : -1), event.timeStamp);
  };
  return (
    <>
      <svg
        ref={svg}
        id={`${game}-board`}
        class={`board ${more}${open ? " open" : ""}`}
        viewBox={box}
        role="application"
        aria-roledescription={t(`${game}-board`)}
        aria-label={t(`${game}-board-label`)}
        tabindex={0}
        onWheel={wheel}
        {...press}
      >
        <g id={INSIDE}>{children}</g>
      </svg>
      {cell && <Loupe cell={cell} />}
    </>
  );
}

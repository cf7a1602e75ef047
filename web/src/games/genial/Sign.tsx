import { hexagon, polar, round2, roundPoly, starPoints } from "../../art/shapes";
import type { Colour } from "./view";
import "./Sign.css";

const ASTERISK = [90, 30, 150]
  .map((turn) => polar(5.2, turn).map(round2))
  .map(([x = 0, y = 0]) => `M${x} ${y}L${-x} ${-y}`)
  .join("");
const SUN = roundPoly(starPoints(12, 6.3, 4.05), 0.5);
const STAR = roundPoly(starPoints(5, 6.5, 2.75), 0.7);
const HEXAGON = roundPoly(hexagon(5.9, 30), 0.8);
const CONTOUR = roundPoly(hexagon(3, 30), 0.4);

/** One of the six symbols, about 12 units wide, around 0, 0. Its shape tells it without colour. */
export function Sign({ colour }: { colour: Colour }) {
  switch (colour) {
    case "R":
      return <path class="genial-R genial-stroke" d={ASTERISK} />;
    case "Y":
      return (
        <g class="genial-Y">
          <path d={SUN} />
          <circle class="genial-contour" r="2.5" />
        </g>
      );
    case "B":
      return <path class="genial-B" d={STAR} transform="translate(0 .45)" />;
    case "G":
      return <circle class="genial-G" r="5.2" />;
    case "P":
      return <circle class="genial-P genial-ring" r="4.25" />;
    case "O":
      return (
        <g class="genial-O">
          <path d={HEXAGON} />
          <path class="genial-contour" d={CONTOUR} />
        </g>
      );
  }
}

/** A symbol on a tile, with the shade that it casts. */
export function Glyph({ colour }: { colour: Colour }) {
  return (
    <>
      <g class="genial-shade" transform="translate(0 .55)">
        <Sign colour={colour} />
      </g>
      <Sign colour={colour} />
    </>
  );
}

const PRINTED = roundPoly(hexagon(8.9), 1.6);
const PRINTED_RIM = roundPoly(hexagon(7.9), 1.4);

/** A symbol that is printed on the board. */
export function Printed({ colour }: { colour: Colour }) {
  return (
    <>
      <path class="genial-printed" d={PRINTED} />
      <path class={`genial-printed-rim genial-line-${colour}`} d={PRINTED_RIM} />
      <Sign colour={colour} />
    </>
  );
}

const CHIP = roundPoly(hexagon(10), 2);

/** A symbol in a text: its own small picture. */
export function SmallChip({ colour, size = 20 }: { colour: Colour; size?: number }) {
  return (
    <svg
      class="genial-small"
      viewBox="-10 -10.6 20 21.2"
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      aria-hidden="true"
    >
      <path class="genial-chip" d={CHIP} />
      <Sign colour={colour} />
    </svg>
  );
}

import { hexPath } from "./hex";
import type { Colour } from "./view";

function rays(count: number, inner: number, outer: number): string {
  const parts: string[] = [];
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * i) / count - Math.PI / 2;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    parts.push(
      `M${(inner * c).toFixed(2)} ${(inner * s).toFixed(2)}L${(outer * c).toFixed(2)} ${(outer * s).toFixed(2)}`,
    );
  }
  return parts.join("");
}

function star(points: number, outer: number, inner: number): string {
  const corners = Array.from({ length: points * 2 }, (_, i) => {
    const reach = i % 2 ? inner : outer;
    const angle = (Math.PI * i) / points - Math.PI / 2;
    return `${(reach * Math.cos(angle)).toFixed(2)} ${(reach * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${corners.join("L")}Z`;
}

const ASTERISK = rays(6, 0, 5.6);
const SUN = star(12, 6.3, 4.3);
const STAR = star(5, 6.6, 2.9);
const HEXAGON = hexPath(5.8);
const CONTOUR = hexPath(3.4);

/** One of the six symbols, about 12 units wide, around 0, 0. Its shape tells it without colour. */
export function Sign({ colour }: { colour: Colour }) {
  switch (colour) {
    case "R":
      return <path class="genial-R genial-stroke" d={ASTERISK} />;
    case "Y":
      return (
        <g class="genial-Y">
          <path d={SUN} />
          <circle class="genial-inner" r="2.6" />
        </g>
      );
    case "B":
      return <path class="genial-B" d={STAR} />;
    case "G":
      return <circle class="genial-G" r="5.2" />;
    case "P":
      return <circle class="genial-P genial-ring" r="4.1" />;
    case "O":
      return (
        <g class="genial-O">
          <path d={HEXAGON} />
          <path class="genial-contour" d={CONTOUR} />
        </g>
      );
  }
}

const CHIP = hexPath(9.3);

/** A symbol on its dark chip. */
export function Chip({ colour }: { colour: Colour }) {
  return (
    <>
      <path class="genial-chip" d={CHIP} />
      <Sign colour={colour} />
    </>
  );
}

/** A symbol in a text: its own small picture. */
export function SmallChip({ colour, size = 20 }: { colour: Colour; size?: number }) {
  return (
    <svg class="genial-small" viewBox="-10 -10 20 20" width={size} height={size} aria-hidden="true">
      <Chip colour={colour} />
    </svg>
  );
}

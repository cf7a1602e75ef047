import { hexagon, roundPoly } from "./shapes";
import "./Avatar.css";

/** Blue disc, yellow square, green hexagon, red diamond, black cross, lilac triangle. */
export type Look = 0 | 1 | 2 | 3 | 4 | 5;

/** The looks of seats, in their order, where the game itself has no colours for them. */
export const LOOKS: readonly Look[] = [0, 3, 2, 1, 4, 5];

/** The looks of seats before the game begins: Blockers! has colours of its own. */
export function looksIn(game: string): readonly Look[] {
  return game === "blockers" ? [0, 1, 2, 3, 4] : LOOKS;
}

const CROSS: readonly (readonly [number, number])[] = [
  [-2.6, -6.4],
  [2.6, -6.4],
  [2.6, -2.6],
  [6.4, -2.6],
  [6.4, 2.6],
  [2.6, 2.6],
  [2.6, 6.4],
  [-2.6, 6.4],
  [-2.6, 2.6],
  [-6.4, 2.6],
  [-6.4, -2.6],
  [-2.6, -2.6],
];

/** The shape of a look around 0, 0, about 12 wide: it tells the colour without it. */
export const SEAT_SHAPES: Record<Look, string> = {
  0: "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0Z",
  1: "M-4.2-5.4H4.2A1.2 1.2 0 0 1 5.4-4.2V4.2A1.2 1.2 0 0 1 4.2 5.4H-4.2A1.2 1.2 0 0 1-5.4 4.2V-4.2A1.2 1.2 0 0 1-4.2-5.4Z",
  2: roundPoly(hexagon(6.5, 30), 0.8),
  3: roundPoly(
    [
      [0, -7.4],
      [7.4, 0],
      [0, 7.4],
      [-7.4, 0],
    ],
    1,
  ),
  4: roundPoly(CROSS, 0.8),
  5: roundPoly(
    [
      [0, -7.2],
      [7.2, 5.6],
      [-7.2, 5.6],
    ],
    1.6,
  ),
};

interface AvatarProps {
  look: Look;
  /** Whose it is; the first letter is shown. */
  name?: string;
  /** Its width, in rem × 16. */
  size?: number;
}

/** A player: the shape and colour of the seat, with the first letter of the name. */
export function Avatar({ look, name = "", size = 38 }: AvatarProps) {
  return (
    <svg
      class="avatar"
      viewBox="-9 -9 18 18"
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      aria-hidden="true"
    >
      <AvatarShape look={look} name={name} />
    </svg>
  );
}

/** The same as a part of a drawing, 18 wide, around 0, 0. */
export function AvatarShape({ look, name = "" }: Omit<AvatarProps, "size">) {
  const shape = SEAT_SHAPES[look];
  const grow = `scale(${look < 2 ? 1.36 : 1.2})`;
  return (
    <g class={`avatar-${look}`}>
      <path class="avatar-edge" d={shape} transform={`translate(0 .9) ${grow}`} />
      <path class="avatar-face" d={shape} transform={grow} />
      {name && (
        <text class="avatar-letter" y={look === 5 ? 4.6 : 2.9}>
          {/ (\d)$/.exec(name)?.[1] ?? [...name][0]?.toUpperCase()}
        </text>
      )}
    </g>
  );
}

/** A seat that is free. */
export function EmptySeat({ look, size = 38 }: { look: Look; size?: number }) {
  return (
    <svg
      class="avatar avatar-empty"
      viewBox="-9 -9 18 18"
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      aria-hidden="true"
    >
      <path d={SEAT_SHAPES[look]} transform="scale(1.15)" />
    </svg>
  );
}

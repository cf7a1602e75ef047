import { STAR } from "./art";

const PETALS = [0, 60, 120, 180, 240, 300];
const STARS: readonly (readonly [x: number, y: number, scale: number])[] = [
  [-46, -12, 1],
  [-34, 14, 0.6],
  [40, -16, 0.7],
  [49, 9, 1],
];

/** The picture of a Kaos card. */
export function CardArt() {
  return (
    <svg class="kaosmos-card-art" viewBox="-60 -32 120 64" aria-hidden="true">
      <g fill="#b9b4ff" opacity=".32">
        {PETALS.map((turn) => (
          <path
            key={turn}
            transform={`rotate(${turn})`}
            d="M0-11C-9-16-9-25 0-30 9-25 9-16 0-11Z"
          />
        ))}
      </g>
      <use href="#k-pB" transform="scale(1.15)" />
      {STARS.map(([x, y, scale]) => (
        <path
          key={x}
          class="kaosmos-star"
          transform={`translate(${x} ${y}) scale(${scale})`}
          d={STAR}
        />
      ))}
    </svg>
  );
}

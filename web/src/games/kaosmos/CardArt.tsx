import { STAR } from "./art";

const PETALS = [0, 60, 120, 180, 240, 300];
const STARS: readonly (readonly [x: number, y: number, scale: number])[] = [
  [-46, -12, 1],
  [-34, 14, 0.6],
  [40, -16, 0.7],
  [49, 9, 1],
];

const ROCKS = "M-9 2-4-5 3-4 6 2 1 7-6 7ZM8-9l6 1 2 6-5 3-5-4ZM10 9l5-2 3 4-3 4-5-1Z";
const GLASS = "M-9-13H9C9-5 2-3 2 0S9 5 9 13H-9C-9 5-2 3-2 0S-9-5-9-13Z";
const ARROWS = "M-12-4A12 12 0 0 1 11-5M11-12v7h-7M12 4A12 12 0 0 1-11 5M-11 12v-7h7";
const SQUARES: Record<string, readonly (readonly [x: number, y: number])[]> = {
  "une-dimension": [-16, -8, 0, 8, 16].map((x) => [x, 0]),
  "univers-paralleles": [-12, -4, 4, 12].flatMap((x) => [-4, 4].map((y) => [x * 1.2, y] as const)),
  derive: [
    [-8, -8],
    [0, -8],
    [0, 0],
    [8, 0],
    [8, 8],
  ],
};

/** What is in its middle: what the card is about. */
function Heart({ card }: { card: string }) {
  switch (card) {
    case "floraison":
      return <use href="#k-pG" />;
    case "vent-de-sable":
      return <use href="#k-pO" />;
    case "transfert":
    case "mutation":
    case "equilibre":
      return (
        <>
          <use href="#k-pG" transform="translate(-9 3) scale(.72)" />
          <use href="#k-pO" transform="translate(9 -3) scale(.72)" />
        </>
      );
    case "constellation":
    case "vide-sideral":
    case "supernova":
      return <path class="kaosmos-star" d={STAR} transform="scale(3.4)" />;
    case "trou-noir":
      return (
        <>
          <circle r="11" fill="#000" stroke="#ffd27a" stroke-width="1.6" />
          <ellipse rx="22" ry="6" fill="none" stroke="#ffd27a" stroke-width="1.6" />
        </>
      );
    case "pluie-d-asteroides":
    case "breche":
      return <path d={ROCKS} fill="#d8d0c4" stroke="#6b655d" stroke-linejoin="round" />;
    case "temps-contracte":
      return <path d={GLASS} fill="#ffd27a" stroke="#fff" stroke-width="1.4" />;
    case "gyroscope-bloque":
    case "ingerence":
      return <path d={ARROWS} fill="none" stroke="#fff" stroke-width="2.4" />;
    case "quitte-ou-double":
    case "loterie":
      return (
        <g transform="rotate(12)">
          <rect x="-11" y="-11" width="22" height="22" rx="5" fill="#fff" />
          {[-5, 0, 5].map((at) => (
            <circle key={at} cx={at} cy={at} r="2.300" fill="#171412" />
          ))}
        </g>
      );
    default:
      if (!SQUARES[card]) return <use href="#k-pB" transform="scale(1.15)" />;
      return (
        <>
          {SQUARES[card].map(([x, y]) => (
            <rect
              key={`${x} ${y}`}
              x={x - 3.5}
              y={y - 3.5}
              width="7"
              height="7"
              rx="1.500"
              fill="#d9d5ff"
            />
          ))}
        </>
      );
  }
}

/** The picture of a Kaos card. */
export function CardArt({ card }: { card: string }) {
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
      <Heart card={card} />
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

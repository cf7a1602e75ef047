import type { ComponentType } from "preact";
import { AvatarShape, type Look } from "./Avatar";
import "./Podium.css";

interface Step {
  name: string;
  look: Look;
  place: number;
  /** The number that decides. */
  score: string;
}

interface PodiumProps {
  /** The best first; three at most are shown. */
  steps: Step[];
  /** A tile of the game, around 0, 0 and about 30 wide. */
  Bit: ComponentType<{ index: number }>;
}

const HEIGHTS = [80, 58, 44];
const WIDTH = 84;
const GAP = 8;
const BASE = 200;
const RAYS = Array.from({ length: 18 }, (_, index) => index * 20);
/** Where tiles lie around the winner, and how they are turned. */
const SPOTS: readonly (readonly [x: number, y: number, turn: number])[] = [
  [-136, -98, 20],
  [-112, -136, -24],
  [-68, -151, 10],
  [68, -151, -16],
  [112, -136, 30],
  [136, -98, -8],
];

/** Steps of fired clay with the deciding numbers; the winner's is glazed gold, with rays behind. */
export function Podium({ steps, Bit }: PodiumProps) {
  const shown = steps.slice(0, 3);
  const order = shown.length === 3 ? [1, 0, 2] : shown.map((_, index) => index);
  const all = order.length * WIDTH + (order.length - 1) * GAP;
  const left = (index: number) => 150 - all / 2 + index * (WIDTH + GAP);
  const middle = left(order.indexOf(0)) + WIDTH / 2;
  return (
    <div class="podium" aria-hidden="true">
      <svg viewBox="-10 0 320 208">
        <g transform={`translate(${middle} ${BASE - HEIGHTS[0]! - 34})`}>
          {RAYS.map((turn, index) => (
            <path
              key={turn}
              class={index % 2 ? "podium-ray" : "podium-ray bright"}
              transform={`rotate(${turn})`}
              d="M-2.6-34-5-86 5-86 2.6-34Z"
            />
          ))}
        </g>
        {SPOTS.map(([x, y, turn], index) => (
          <g key={x} transform={`translate(${150 + x} ${BASE - 30 + y}) rotate(${turn})`}>
            <g class="podium-bit" style={{ "--bit": index }}>
              <Bit index={index} />
            </g>
          </g>
        ))}
        {order.map((rank, index) => {
          const { name, look, place, score } = shown[rank]!;
          const height = HEIGHTS[Math.min(place, 3) - 1]!;
          const x = left(index);
          const top = BASE - height;
          return (
            <g key={rank} class={`podium-step podium-${Math.min(place, 3)}`}>
              <rect class="podium-edge" x={x} y={top + 5} width={WIDTH} height={height} rx="9" />
              <rect class="podium-face" x={x} y={top} width={WIDTH} height={height} rx="9" />
              <rect
                class="podium-light"
                x={x + 6}
                y={top + 5}
                width={WIDTH - 12}
                height="3"
                rx="1.5"
              />
              <text class="podium-score" x={x + WIDTH / 2} y={BASE - height / 2 + 10}>
                {score}
              </text>
              <g transform={`translate(${x + WIDTH / 2} ${top - 29}) scale(3)`}>
                <AvatarShape look={look} name={name} />
              </g>
            </g>
          );
        })}
      </svg>
      {order.map((rank, index) => (
        <span
          key={rank}
          class="podium-name"
          style={{ left: `${(100 * (left(index) + WIDTH / 2 + 10)) / 320}%` }}
        >
          {shown[rank]!.name}
        </span>
      ))}
    </div>
  );
}

import type { ComponentChildren } from "preact";
import { STAR } from "./art";

const PETALS = [0, 60, 120, 180, 240, 300];
const STARS: readonly (readonly [x: number, y: number, scale: number])[] = [
  [-50, -14, 1],
  [-43, 16, 0.6],
  [45, -20, 0.7],
  [52, 10, 1],
];

type At = readonly [x: number, y: number, scale?: number];

/** A planet: G, B or O. */
function Planet({ kind, at: [x, y, scale = 1] }: { kind: string; at: At }) {
  return <use href={`#k-p${kind}`} transform={`translate(${x} ${y}) scale(${scale})`} />;
}

function Star({ at: [x, y, scale = 1] }: { at: At }) {
  return <path class="kaosmos-star" transform={`translate(${x} ${y}) scale(${scale})`} d={STAR} />;
}

/** Tiles, by the upper left corners of squares. */
function Squares({ at, side = 11 }: { at: readonly At[]; side?: number }) {
  return (
    <g class="kaosmos-art-tile">
      {at.map(([x, y]) => (
        <rect key={`${x} ${y}`} x={x} y={y} width={side} height={side} rx="2" />
      ))}
    </g>
  );
}

/** Stars joined by a thin line. */
function Figure({ at }: { at: readonly At[] }) {
  return (
    <>
      <path class="kaosmos-join" d={`M${at.map(([x, y]) => `${x} ${y}`).join("L")}`} />
      {at.map((each) => (
        <Star key={each.join()} at={each} />
      ))}
    </>
  );
}

/** Each of a colour's zones blossoms: a planet among petals, crystals or dunes. */
function Around({ kind, petal, tint }: { kind: string; petal: string; tint: string }) {
  return (
    <>
      <g fill={tint} opacity=".36">
        {PETALS.map((turn) => (
          <path key={turn} transform={`rotate(${turn})`} d={petal} />
        ))}
      </g>
      <Planet kind={kind} at={[0, 0, 1.15]} />
    </>
  );
}

/** An asteroid; 5 wide. */
function Rock({ at: [x, y, scale = 1] }: { at: At }) {
  return (
    <use href="#k-hub0" transform={`translate(${x} ${y}) scale(${scale}) translate(-50 -50)`} />
  );
}

const RAIN: At[] = [
  [-34, 2, 1.5],
  [-18, 20, 1],
  [-8, -4, 1],
  [2, 12, 2],
  [22, -2, 1.2],
  [34, 16, 1.6],
];

const ROW = Array.from({ length: 9 }, (_, index): At => [index * 11.4 - 51, -5]);
const RING: At[] = [-17.5, -5.5, 6.5].flatMap((x) =>
  [-17.5, -5.5, 6.5].filter((y) => x !== -5.5 || y !== -5.5).map((y): At => [x, y]),
);
const TWINS: At[] = [-34, -22, 11, 23].flatMap((x) => [-12, 0].map((y): At => [x, y]));
const DRIFT: At[] = [
  [-30, 4],
  [-18, 4],
  [-18, -8],
  [-6, -8],
  [6, -8],
  [6, -20],
  [6, 4],
  [18, 4],
  [18, 16],
];

/** The drawings, by card; each lies in −60 to 60 by −32 to 32. */
const ART: Record<string, () => ComponentChildren> = {
  "une-dimension": () => <Squares at={ROW} side={10.4} />,
  "univers-paralleles": () => (
    <>
      <path class="kaosmos-art-line" d="M0-26V26" stroke-dasharray="3 4" />
      <Squares at={TWINS} />
    </>
  ),
  derive: () => (
    <>
      <path class="kaosmos-art-line" d="M-46 20C-30 30-18 24-8 22M46-18C34-26 28-24 22-24" />
      <Squares at={DRIFT} />
    </>
  ),
  constellation: () => (
    <Figure
      at={[
        [-30, 12, 2],
        [-14, -14, 2.6],
        [4, 4, 2],
        [16, -16, 1.6],
        [32, 10, 2.6],
      ]}
    />
  ),
  "vide-sideral": () => (
    <>
      <ellipse class="kaosmos-art-void" rx="44" ry="25" />
      <Figure
        at={[
          [-36, -4, 1.6],
          [-22, 14, 1.2],
          [0, 19, 2],
          [22, 14, 1.2],
          [36, -4, 1.6],
        ]}
      />
    </>
  ),
  floraison: () => <Around kind="G" tint="#c9f7c4" petal="M0-11C-9-16-9-25 0-30 9-25 9-16 0-11Z" />,
  "grand-gel": () => (
    <Around kind="B" tint="#dcefff" petal="M0-12 4-21 0-31-4-21ZM-7-22 0-17 7-22 0-20Z" />
  ),
  "vent-de-sable": () => (
    <>
      <path
        class="kaosmos-art-wind"
        d="M-46-14C-28-22-20-8-2-14M-50 0C-34-6-28 4-16 0M-44 14C-26 6-18 22 0 15M18-18C28-23 36-17 46-20M22 16C32 11 38 17 50 13"
      />
      <Planet kind="O" at={[8, 0, 1.3]} />
    </>
  ),
  ingerence: () => (
    <>
      <g transform="rotate(24)">
        <Squares at={[[-11, -11]]} side={22} />
      </g>
      <path class="kaosmos-art-line" d="M-22-14A26 26 0 0 1 22-14M22-14 23-24M22-14 12-15" />
      <path class="kaosmos-art-line" d="M22 14A26 26 0 0 1-22 14M-22 14-23 24M-22 14-12 15" />
    </>
  ),
  transfert: () => (
    <>
      <Planet kind="G" at={[-30, 2]} />
      <Planet kind="O" at={[30, 2]} />
      <path class="kaosmos-art-line" d="M-14-6C-6-16 6-16 14-6M14-6 13-16M14-6 4-7" />
      <Star at={[0, -16, 1.6]} />
    </>
  ),
  mutation: () => (
    <>
      <Planet kind="G" at={[-20, -4, 1.2]} />
      <Planet kind="O" at={[20, 4, 1.2]} />
      <path class="kaosmos-art-line" d="M2-20C16-24 28-20 32-13M32-13 35-22M32-13 23-15" />
      <path class="kaosmos-art-line" d="M-2 20C-16 24-28 20-32 13M-32 13-35 22M-32 13-23 15" />
    </>
  ),
  "pluie-d-asteroides": () =>
    RAIN.map(([x, y, scale = 1]) => (
      <g key={x}>
        <path class="kaosmos-art-tail" d={`M${x} ${y}l${12 * scale}-${14 * scale}`} />
        <Rock at={[x, y, scale]} />
      </g>
    )),
  breche: () => (
    <>
      <path class="kaosmos-art-belt" d="M-52 0H-15M15 0H52" />
      {[-46, -34, -23, 23, 34, 46].map((x, index) => (
        <Rock key={x} at={[x, index % 2 ? 1 : -1, index % 2 ? 0.9 : 1.1]} />
      ))}
      <path class="kaosmos-art-wind" d="M-6-26C-13-12 3 10-5 25M6-26C-1-12 15 10 7 25" />
    </>
  ),
  "trou-noir": () => (
    <>
      <Squares at={RING.map(([x, y]): At => [x * 1.35, y * 1.35])} side={14.8} />
      <g transform="rotate(-13)" fill="none">
        <path class="kaosmos-art-disc" d="M-34 0A34 8 0 0 1 34 0" opacity=".7" />
        <circle r="10" class="kaosmos-art-hole" />
        <path class="kaosmos-art-disc" d="M-34 0A34 8 0 0 0 34 0" />
      </g>
    </>
  ),
  "temps-contracte": () => (
    <>
      <path
        class="kaosmos-art-line"
        d="M-14-26H14M-14 26H14M-11-26C-11-10-3-4 0 0C3-4 11-10 11-26M-11 26C-11 10-3 4 0 0C3 4 11 10 11 26"
      />
      <path class="kaosmos-art-sand" d="M-6.500-12H6.500L0-1ZM-9.500 24H9.500L0 15Z" />
      <path
        class="kaosmos-art-line"
        d="M-44 0H-24M-24 0-31-6M-24 0-31 6M44 0H24M24 0 31-6M24 0 31 6"
      />
    </>
  ),
  "gyroscope-bloque": () => (
    <>
      <circle class="kaosmos-art-line" r="27" />
      <ellipse class="kaosmos-art-line" rx="27" ry="9" transform="rotate(-24)" />
      <path class="kaosmos-art-line" d="M-6.500-3V-8A6.500 6.500 0 0 1 6.500-8V-3" />
      <Squares at={[[-9, -4]]} side={18} />
      <Star at={[0, 5, 1.3]} />
    </>
  ),
  "quitte-ou-double": () => (
    <>
      <Planet kind="B" at={[-22, 0, 1.25]} />
      <Planet kind="B" at={[-2, 0, 1.25]} />
      <path class="kaosmos-art-line" d="M32-14V14M32-14 25-6M32-14 39-6M25 6 32 14 39 6" />
    </>
  ),
  loterie: () => (
    <>
      {(
        [
          [-26, 3, -14],
          [4, -2, 8],
          [32, 4, -6],
        ] as const
      ).map(([x, y, turn]) => (
        <g key={x} transform={`translate(${x} ${y}) rotate(${turn})`}>
          <Squares at={[[-12, -12]]} side={24} />
          <Star at={[0, 0, 2]} />
        </g>
      ))}
    </>
  ),
  equilibre: () => (
    <>
      <path class="kaosmos-art-line" d="M0-14V24M-12 24H12M-38-10H38" />
      <Planet kind="G" at={[-34, 4, 0.9]} />
      <Planet kind="B" at={[0, 4, 0.9]} />
      <Planet kind="O" at={[34, 4, 0.9]} />
      <Star at={[0, -20, 2]} />
    </>
  ),
  supernova: () => (
    <>
      <path
        class="kaosmos-art-rays"
        d="M0-31 4-8 22-22 8-4 31 0 8 4 22 22 4 8 0 31-4 8-22 22-8 4-31 0-8-4-22-22-4-8Z"
      />
      <circle class="kaosmos-art-sun" r="11" />
    </>
  ),
};

/** The picture of a Kaos card. */
export function CardArt({ card }: { card: string }) {
  return (
    <svg class="kaosmos-card-art" viewBox="-60 -32 120 64" aria-hidden="true">
      {STARS.map((at) => (
        <Star key={at.join()} at={at} />
      ))}
      {ART[card]?.()}
    </svg>
  );
}

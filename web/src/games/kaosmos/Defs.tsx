import { type Arm, beltRocks, rock, SIDES, STAR, VARIANTS } from "./art";

/** Lands, planets and belts, drawn once on a page and used by every tile. */
export function Defs() {
  return (
    <defs>
      {Object.entries(VARIANTS).flatMap(([land, count]) =>
        Array.from({ length: count }, (_, variant) => (
          <g key={`${land}${variant}`} id={`k-${land}${variant}`}>
            <rect class={`kaosmos-${land}`} width="50.4" height="50.4" />
            <Ground land={land} variant={variant} />
          </g>
        )),
      )}
      {SIDES.flatMap((arm, index) =>
        [0, 1].map((variant) => (
          <Belt
            key={`${arm}${variant}`}
            arm={arm}
            variant={variant}
            seed={index * 3 + variant * 4}
          />
        )),
      )}
      {[0, 3].map((kind) => {
        const { shade, face } = rock(kind, 50, 50, 5);
        return (
          <g key={kind} id={`k-hub${kind ? 1 : 0}`}>
            <path class="kaosmos-rock-lo" d={shade} />
            <path class="kaosmos-rock" d={face} />
          </g>
        );
      })}
      <Fills />
      <Planets />
    </defs>
  );
}

function Belt({ arm, variant, seed }: { arm: Arm; variant: number; seed: number }) {
  return (
    <g id={`k-b${arm}${variant}`}>
      {beltRocks(arm, seed).map(({ shade, face }, index) => (
        <g key={index}>
          <path class="kaosmos-rock-lo" d={shade} />
          <path class="kaosmos-rock" d={face} />
        </g>
      ))}
    </g>
  );
}

function Ground({ land, variant }: { land: string; variant: number }) {
  if (land === "O") return <Dunes />;
  if (land === "B") return <Ice field={variant} />;
  return land === "G" ? <Forest variant={variant} /> : <Night variant={variant} />;
}

/** Dunes run from side to side at fixed heights, so that neighbours join. */
function Dunes() {
  return (
    <>
      <path
        d="M0 15C10 9 18 9 26 14S42 20 50 15V29C40 35 33 33 25 29S9 24 0 29Z"
        fill="#fff"
        opacity=".13"
      />
      <path d="M0 38C9 33 17 33 25 38S41 43 50 38V50H0Z" fill="#5a2500" opacity=".16" />
      <path d="M0 15C10 9 18 9 26 14S42 20 50 15" class="kaosmos-fine" />
    </>
  );
}

/** Ice is mirrored from field to field, so that facets meet at every edge. */
function Ice({ field }: { field: number }) {
  const [right, below] = [field % 3 !== 0, field > 1];
  const place = `translate(${right ? 50 : 0} ${below ? 50 : 0})`;
  return (
    <g transform={`${place} scale(${right ? -1 : 1} ${below ? -1 : 1})`}>
      <path d="M0 0H23L13 20 0 26Z" fill="#fff" opacity=".12" />
      <path d="M50 50H24L35 32 50 26Z" fill="#001b52" opacity=".2" />
      <path
        d="M23 0 13 20 0 26M13 20 24 32 35 32 50 26M24 32V50M35 32 41 12 50 9"
        class="kaosmos-fine"
      />
    </g>
  );
}

const FRONDS: readonly (readonly (readonly [x: number, y: number, scale: number])[])[] = [
  [
    [9, 16, 1],
    [41, 20, 0.8],
    [8, 45, 0.8],
    [42, 47, 1],
  ],
  [
    [8, 18, 0.8],
    [42, 15, 1],
    [9, 47, 1],
    [40, 44, 0.8],
  ],
];
const LEAVES: readonly (readonly [turn: number, scale: number])[] = [
  [-42, 0.62],
  [0, 0.76],
  [42, 0.62],
];

function Forest({ variant }: { variant: number }) {
  return (
    <>
      <path d="M0 30C9 24 16 35 25 30S42 25 50 30V50H0Z" fill="#00301a" opacity=".16" />
      <g fill="#c9f7c4" opacity=".2">
        {FRONDS[variant]?.flatMap(([x, y, size]) =>
          LEAVES.map(([turn, scale]) => (
            <path
              key={`${x} ${turn}`}
              transform={`translate(${x} ${y}) rotate(${turn}) scale(${scale * size})`}
              d="M0 0C-4.5-4-4.5-9 0-13 4.5-9 4.5-4 0 0Z"
            />
          )),
        )}
      </g>
    </>
  );
}

const CONSTELLATIONS: readonly (readonly (readonly [number, number])[])[] = [
  [
    [12, 35],
    [20, 17],
    [29, 28],
    [38, 14],
  ],
  [
    [12, 15],
    [23, 20],
    [27, 36],
    [38, 31],
  ],
  [
    [13, 37],
    [17, 20],
    [32, 14],
    [37, 34],
  ],
  [
    [13, 13],
    [26, 19],
    [37, 13],
    [33, 37],
  ],
];
const SIZES = [1, 1.35, 1, 0.85];

function Night({ variant }: { variant: number }) {
  const stars = CONSTELLATIONS[variant] ?? [];
  return (
    <>
      <rect width="50" height="50" fill="url(#k-haze)" />
      <path d="M6 7h.01M44 44h.01M20 44h.01M45 21h.01M31 6h.01M5 24h.01" class="kaosmos-dust" />
      <path d={`M${stars.map((star) => star.join(" ")).join("L")}`} class="kaosmos-join" />
      {stars.map(([x, y], index) => (
        <path
          key={index}
          transform={`translate(${x} ${y}) scale(${SIZES[(index + variant) % 4]})`}
          d={STAR}
          class="kaosmos-star"
        />
      ))}
    </>
  );
}

function Fills() {
  return (
    <>
      <filter id="k-soft" x="-30%" y="-30%" width="160%" height="160%">
        <feGaussianBlur stdDeviation="5" />
      </filter>
      <clipPath id="k-disc">
        <circle r="12" />
      </clipPath>
      <clipPath id="k-tile">
        <rect width="100" height="100" rx="7" />
      </clipPath>
      <radialGradient id="k-haze">
        <stop offset="0" stop-color="#6f63e0" stop-opacity=".42" />
        <stop offset="1" stop-color="#6f63e0" stop-opacity="0" />
      </radialGradient>
      <radialGradient id="k-ball" cx=".34" cy=".28" r=".82">
        <stop offset="0" stop-color="#fff" stop-opacity=".75" />
        <stop offset=".35" stop-color="#fff" stop-opacity=".12" />
        <stop offset=".62" stop-color="#000" stop-opacity="0" />
        <stop offset="1" stop-color="#000" stop-opacity=".5" />
      </radialGradient>
      <radialGradient id="k-back" cx=".5" cy=".42" r=".75">
        <stop offset="0" stop-color="#4a449c" />
        <stop offset="1" stop-color="#1e1d4c" />
      </radialGradient>
      <linearGradient id="k-gloss" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="#fff" stop-opacity=".6" />
        <stop offset=".3" stop-color="#fff" stop-opacity=".05" />
        <stop offset="1" stop-color="#000" stop-opacity=".4" />
      </linearGradient>
    </>
  );
}

/** Planets differ by more than colour: continents, a ring, bands. */
function Planets() {
  return (
    <>
      <g id="k-pG">
        <ellipse cx="1.2" cy="2.6" rx="12.4" ry="12" fill="#001a0c" opacity=".34" />
        <circle r="12" fill="#a8e88c" />
        <g clip-path="url(#k-disc)" fill="#3a9a56">
          <path d="M-14-6C-8-12-1-11 1-7S-2-1-6 1-13 1-14-6Z" />
          <path d="M2 3C6 0 13-1 14 4S8 14 3 13 0 6 2 3Z" />
          <path d="M5-11C9-11 11-8 10-6S5-7 5-11Z" />
          <path d="M-9 7C-6 5-3 8-4 11S-9 11-9 7Z" />
        </g>
        <circle r="12" fill="url(#k-ball)" />
      </g>
      <g id="k-pB">
        <ellipse cx="1.2" cy="2.4" rx="10.6" ry="10.2" fill="#00113a" opacity=".36" />
        <g transform="rotate(-18)" fill="none" stroke-width="2.2">
          <path d="M-14.8 0A14.8 4.6 0 0 1 14.8 0" stroke="#bfe0ff" />
          <circle r="10" fill="#cfe8ff" />
          <path d="M-9.6-3Q0-6 9.6-3M-9.9 2.2Q0-.6 9.9 2.2" stroke="#7fb6ef" stroke-width="1.8" />
          <circle r="10" fill="url(#k-ball)" />
          <path d="M-14.8 0A14.8 4.6 0 0 0 14.8 0" stroke="#0f3a7c" stroke-width="3.6" />
          <path d="M-14.8 0A14.8 4.6 0 0 0 14.8 0" stroke="#eaf5ff" />
        </g>
      </g>
      <g id="k-pO">
        <ellipse cx="1.2" cy="2.6" rx="12.4" ry="12" fill="#3a1600" opacity=".36" />
        <circle r="12" fill="#ffe6a6" />
        <g clip-path="url(#k-disc)" transform="rotate(-8)">
          <path d="M-14-8.2Q0-5 14-8.2V-5Q0-1.6-14-5Z" fill="#d8742a" />
          <path d="M-14 .2Q0 3.4 14 .2V5.4Q0 8.6-14 5.4Z" fill="#c25f1c" />
          <path d="M-14 8.6Q0 11.4 14 8.6V14H-14Z" fill="#e59a4c" />
        </g>
        <circle r="12" fill="url(#k-ball)" />
      </g>
    </>
  );
}

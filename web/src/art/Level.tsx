/** The five levels as small tiles of their material: raw, fired, glazed, painted, white and gold. */
const FACES: Record<string, readonly [light: string, face: string, edge: string]> = {
  clay: ["#a79a8b", "#8d8071", "#5f554a"],
  terracotta: ["#cf7146", "#b8562d", "#74301a"],
  glaze: ["#3fa79a", "#2a8479", "#155049"],
  faience: ["#fdfbf5", "#e9e4d8", "#9d9686"],
  porcelain: ["#ffffff", "#f2efe9", "#b98416"],
};

export function LevelTile({ level, size = 28 }: { level: string; size?: number }) {
  const [light, face, edge] = FACES[level] ?? FACES.clay!;
  return (
    <svg
      class="level-tile"
      viewBox="-9 -9 18 19"
      width={`${size / 16}rem`}
      height={`${(size * 1.06) / 16}rem`}
      aria-hidden="true"
    >
      <rect x="-8.5" y="-7" width="17" height="17" rx="3.5" fill={edge} />
      <rect x="-8.5" y="-8.5" width="17" height="17" rx="3.5" fill={face} />
      <rect x="-8" y="-8" width="16" height="15" rx="3" fill={light} opacity=".8" />
      <Surface level={level} />
    </svg>
  );
}

function Surface({ level }: { level: string }) {
  switch (level) {
    case "terracotta":
      return <path d="M-6.5-2H6.5M-6.5 3H6.5" stroke="#74301a" stroke-opacity=".5" />;
    case "glaze":
      return <path d="M-6-6Q1-7 4-4-2-5-6 0Z" fill="#fff" opacity=".65" />;
    case "faience":
      return (
        <g fill="#2b5fb3">
          {[0, 90, 180, 270].map((turn) => (
            <path
              key={turn}
              transform={`rotate(${turn})`}
              d="M0-1C-2.5-2.5-2.5-5 0-6.5 2.5-5 2.5-2.5 0-1Z"
            />
          ))}
          <circle r="1.1" fill="#f0bd45" />
        </g>
      );
    case "porcelain":
      return (
        <>
          <rect x="-6" y="-6" width="12" height="12" rx="2" fill="none" stroke="#c9952b" />
          <path d="M0-3.5 3.5 0 0 3.5-3.5 0Z" fill="#c9952b" />
        </>
      );
    default:
      return (
        <g fill="#5f554a" opacity=".5">
          <circle cx="-3.5" cy="-2" r=".8" />
          <circle cx="2" cy="2.5" r=".9" />
          <circle cx="4" cy="-4" r=".6" />
          <circle cx="-2" cy="4.5" r=".6" />
        </g>
      );
  }
}

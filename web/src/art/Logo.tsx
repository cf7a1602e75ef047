import { useId } from "preact/hooks";

/** A tile of the roof, from its middle. */
function tile(x: number, y: number): string {
  return `M${x - 7} ${y - 20}H${x + 7}V${y - 7}A7 7 0 0 1 ${x - 7} ${y - 7}Z`;
}

const ROOF: readonly (readonly [x: number, y: number, fill: string])[] = [
  [0, 32, "#a3431f"],
  [15, 32, "#e08a5c"],
  [30, 32, "#a3431f"],
  [7.5, 21.5, "#b8502b"],
  [22.5, 21.5, "#fbcb55"],
];
const RIDGE: typeof ROOF = [
  [0, 10.5, "#e08a5c"],
  [15, 10.5, "#c9602f"],
  [30, 10.5, "#e08a5c"],
];

/** The mark: a roof of tiles in clay, one of them glazed gold. */
export function Logo({ size = 30 }: { size?: number }) {
  const id = useId();
  const row = ([x, y, fill]: (typeof ROOF)[number]) => (
    <path key={`${x} ${y}`} d={tile(x, y)} fill={fill} stroke="#46180a" stroke-width="1.5" />
  );
  return (
    <svg
      viewBox="0 0 30 30"
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      aria-hidden="true"
    >
      <clipPath id={id}>
        <rect width="30" height="30" rx="8" />
      </clipPath>
      <g clip-path={`url(#${id})`}>
        <rect width="30" height="30" fill="#46180a" />
        {ROOF.map(row)}
        <path
          d="M18.8 18.4A5 5 0 0 0 26.2 18.4"
          fill="none"
          stroke="#fff"
          stroke-opacity=".85"
          stroke-width="1.6"
          stroke-linecap="round"
        />
        {RIDGE.map(row)}
      </g>
    </svg>
  );
}

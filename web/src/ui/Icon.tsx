/** Line icons of our own, 24 × 24. */
const PATHS = {
  close: "M6 6 18 18 M18 6 6 18",
  home: "M4 11 12 4l8 7 M6 10v9h12v-9",
  menu: "M5 7h14 M5 12h14 M5 17h14",
  history: "M12 7v5l3 2 M4 12a8 8 0 1 0 2.500-5.800L4 8.500 M4 4v4.500h4.500",
  share: "M7 12v7h10v-7 M12 15V4 M8 8l4-4 4 4",
  again: "M5 5v5h5 M5.800 10a7 7 0 1 1-.3 4.500 M10.500 9.500v5.500l4.500-2.750z",
  download: "M7 14v5h10v-5 M12 4v11 M8 11l4 4 4-4",
  turn: "M19 12a7 7 0 1 1-2.100-5 M17 3v4.200h-4.200",
  settings:
    "M4 7h9 M17 7h3 M4 17h3 M11 17h9 M15 4.800v4.400a0 0 0 0 0 0 0 M15 7m-2.200 0a2.200 2.200 0 1 0 4.400 0a2.200 2.200 0 1 0-4.400 0 M9 17m-2.200 0a2.200 2.200 0 1 0 4.400 0a2.200 2.200 0 1 0-4.400 0",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8 M5 20c1-4 4-5.500 7-5.500s6 1.500 7 5.500",
  bot: "M6 9h12v9H6z M12 9V5 M12 4.500v.1 M9.500 13v1 M14.500 13v1 M3.500 12v3 M20.500 12v3",
  first: "M18 6 10 12l8 6z M6 6v12",
  back: "M16 6 8 12l8 6z",
  next: "M8 6l8 6-8 6z",
  last: "M6 6l8 6-8 6z M18 6v12",
  play: "M8 5l11 7-11 7z",
  pause: "M8 6v12 M16 6v12",
  check: "M5 12.500 10 17.500 19 7",
  sound: "M5 10v4h3l4 4V6L8 10z M15.500 9a4 4 0 0 1 0 6 M18 6.500a8 8 0 0 1 0 11",
  open: "M4 19V6h6l2 2h8v11z M12 16v-5 M9.500 13.500 12 11l2.500 2.500",
  undo: "M9 14 4 9l5-5 M4 9h10a6 6 0 0 1 0 12h-3",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 22 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

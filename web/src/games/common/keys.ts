/** What the keys do in every game. False: the key is not for the game now. */
interface KeyActions {
  /** Move the cursor one step. */
  walk(right: number, down: number): unknown;
  /** Choose a tile of the hand, from 0. */
  choose(index: number): unknown;
  /** Place the tile where the cursor is, and confirm what asks for it. */
  enter(): unknown;
  turn?(by: 1 | -1): unknown;
  /** Put the tile back; where there is none, hide the cursor. */
  cancel(): unknown;
}

/** Keys of one game, in lower case. */
type OwnKeys = Record<string, (by: 1 | -1) => unknown>;

type KeyLine = readonly [pressed: string, words: string];

const STEPS: Record<string, [right: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A key that was pressed at the table; true if it was meant for the game. */
export function press(event: KeyboardEvent, actions: KeyActions, own: OwnKeys = {}): boolean {
  const { key } = event;
  const by = event.shiftKey ? -1 : 1;
  const step = STEPS[key];
  if (step) return actions.walk(...step) !== false;
  if (/^[0-9]$/.test(key)) return actions.choose((Number(key) + 9) % 10) !== false;
  const every: OwnKeys = {
    ...own,
    enter: () => actions.enter(),
    " ": () => actions.enter(),
    escape: () => actions.cancel(),
  };
  if (actions.turn) every.r = (way) => actions.turn?.(way);
  const act = every[key.toLowerCase()];
  return act !== undefined && act(by) !== false;
}

/** The list of these keys, followed by those of one game. */
export function keyLines(digits: string, turns: boolean, own: readonly KeyLine[]): KeyLine[] {
  const turn: KeyLine[] = turns ? [["R, ⇧R", "key-turn"]] : [];
  return [
    [digits, "key-choose"],
    ["← ↑ → ↓", "key-cursor"],
    ["↵, ␣", "key-place"],
    ...turn,
    ["Esc", "key-cancel"],
    ...own,
  ];
}

import { t } from "../../i18n";
import type { Seat } from "../../live/seat";
import type { BlockersView } from "../../protocol";
import { TextList, TextTable } from "../common/TextTable";
import type { PartProps } from "../types";
import { COLUMNS, cellsOf, groupsOf, ROWS, symbolOf } from "./grid";
import type { Model } from "./model";
import { type Cell, coloursOf, pointsOf } from "./view";
import { colourWords, tileList, tileWords } from "./words";

/** The whole table as text. */
export function TextBoard({ desk, model }: PartProps<BlockersView, Model>) {
  const view = desk.view.value;
  return (
    <>
      <h2>{t("text-board")}</h2>
      <TextList title={t("blockers-rack")} items={(view.rack ?? []).map(tileWords)} />
      <Targets model={model} />
      <h3>{t("blockers-players")}</h3>
      <Players desk={desk} model={model} />
      {view.discards.length > 0 && (
        <p>
          {t("blockers-discards")} {tileList(view.discards)}
        </p>
      )}
      <h3>{t("blockers-board")}</h3>
      <p>{t("blockers-board-help")}</p>
      <BoardTable view={view} />
      <Last model={model} />
      <h3>{t("blockers-groups-head")}</h3>
      <ul>
        {view.options.colours
          .flatMap((_, seat) => coloursOf(view, seat))
          .map((colour) => (
            <li key={colour}>
              {t("blockers-colour-groups", {
                colour: colourWords(colour),
                groups:
                  groupsOf(cellsOf(view.board, colour))
                    .map((group) => group.sort().join(" "))
                    .join("; ") || t("blockers-nothing"),
              })}
            </li>
          ))}
      </ul>
    </>
  );
}

/** Where the chosen tile may go. */
function Targets({ model }: { model: Model }) {
  const tile = model.tile.value;
  if (tile === null) return null;
  const moves = [...model.targets.value.values()];
  const cells = (capture: boolean): string =>
    moves
      .filter((move) => move.capture === capture)
      .map((move) => move.cell)
      .join(", ") || t("blockers-nothing");
  return (
    <p>
      {t("blockers-targets", { tile: tileWords(tile), free: cells(false), captures: cells(true) })}
    </p>
  );
}

function Players({ desk }: PartProps<BlockersView, Model>) {
  const view = desk.view.value;
  const piles = (seat: Seat) =>
    coloursOf(view, seat).map((colour) =>
      t("blockers-pile-of", { colour: colourWords(colour), count: view.piles[colour] ?? 0 }),
    );
  return (
    <TextTable
      head={[
        t("player"),
        t("blockers-colours"),
        t("blockers-groups-head"),
        t("blockers-captured", { count: 2 }),
        t("blockers-points"),
        t("blockers-in-pile"),
      ]}
      rows={view.options.colours.map((_, seat) => {
        const captured = view.captures[seat] ?? [];
        return [
          desk.labels.value[seat],
          coloursOf(view, seat).map(colourWords).join(", "),
          view.groups[seat],
          captured.length > 0 ? tileList(captured) : t("blockers-nothing"),
          pointsOf(view, view.groups[seat] ?? 0, captured),
          piles(seat).join(", "),
        ];
      })}
    />
  );
}

function BoardTable({ view }: { view: BlockersView }) {
  const words = (cell: Cell) => {
    const tile = view.board[cell];
    return tile ? tileWords(tile) : `(${t(`symbol-${symbolOf(cell)}`)})`;
  };
  return (
    <TextTable
      head={["", ...COLUMNS]}
      rows={[...ROWS].map((row) => [row, ...[...COLUMNS].map((column) => words(row + column))])}
    />
  );
}

function Last({ model }: { model: Model }) {
  const last = model.last.value;
  if (!last) return null;
  return <p>{t("blockers-last", { tile: tileWords(last.tile), cell: last.cell })}</p>;
}

import { t } from "../../i18n";
import type { PartProps } from "../types";
import { COLUMNS, cellsOf, groupsOf, ROWS, symbolOf } from "./grid";
import type { Model } from "./model";
import { type BlockersView, type Cell, coloursOf, pointsOf } from "./view";
import { colourWords, tileList, tileWords } from "./words";

/** The whole table in words. */
export function TextBoard({ desk, model }: PartProps<BlockersView, Model>) {
  const view = desk.view.value;
  return (
    <div class="blockers-text">
      <h2>{t("text-board")}</h2>
      {view.rack && (
        <>
          <h3>{t("blockers-rack")}</h3>
          <ol>
            {view.rack.map((tile) => (
              <li key={tile}>{tileWords(tile)}</li>
            ))}
          </ol>
        </>
      )}
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
    </div>
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
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t("blockers-player")}</th>
          <th scope="col">{t("blockers-colours")}</th>
          <th scope="col">{t("blockers-groups-head")}</th>
          <th scope="col">{t("blockers-captured", { count: 2 })}</th>
          <th scope="col">{t("blockers-points")}</th>
          <th scope="col">{t("blockers-in-pile")}</th>
        </tr>
      </thead>
      <tbody>
        {view.options.colours.map((_, seat) => {
          const colours = coloursOf(view, seat);
          const captured = view.captures[seat] ?? [];
          return (
            <tr key={seat}>
              <th scope="row">{desk.labels.value[seat]}</th>
              <td>{colours.map(colourWords).join(", ")}</td>
              <td>{view.groups[seat]}</td>
              <td>{captured.length > 0 ? tileList(captured) : t("blockers-nothing")}</td>
              <td>{pointsOf(view, view.groups[seat] ?? 0, captured)}</td>
              <td>
                {colours
                  .map((colour) =>
                    t("blockers-pile-of", {
                      colour: colourWords(colour),
                      count: view.piles[colour] ?? 0,
                    }),
                  )
                  .join(", ")}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function BoardTable({ view }: { view: BlockersView }) {
  const words = (cell: Cell) => {
    const tile = view.board[cell];
    return tile ? tileWords(tile) : `(${t(`symbol-${symbolOf(cell)}`)})`;
  };
  return (
    <table>
      <thead>
        <tr>
          <td />
          {[...COLUMNS].map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...ROWS].map((row) => (
          <tr key={row}>
            <th scope="row">{row}</th>
            {[...COLUMNS].map((column) => (
              <td key={column}>{words(row + column)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Last({ model }: { model: Model }) {
  const last = model.last.value;
  if (!last) return null;
  return <p>{t("blockers-last", { tile: tileWords(last.tile), cell: last.cell })}</p>;
}

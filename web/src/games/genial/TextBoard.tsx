import { t } from "../../i18n";
import type { PartProps } from "../types";
import { cellsOf } from "./hex";
import { type Model, tileWords } from "./model";
import { COLOURS, type GenialView, sides } from "./view";

/** The whole table in words. */
export function TextBoard({ desk }: PartProps<GenialView, Model>) {
  const view = desk.view.value;
  const names = desk.labels.value;
  const rows = new Map<string, string[]>();
  for (const cell of cellsOf(view.radius)) {
    const row = rows.get(cell.charAt(0)) ?? [];
    const colour = view.symbols[cell];
    if (colour) row.push(`${cell} ${t(`colour-genial-${colour}`)}`);
    rows.set(cell.charAt(0), row);
  }
  return (
    <div class="genial-text">
      <h2>{t("text-board")}</h2>
      {view.hand && (
        <>
          <h3>{t("genial-hand")}</h3>
          <ol>
            {view.hand.map((tile, index) => (
              <li key={index}>{tileWords(tile)}</li>
            ))}
          </ol>
        </>
      )}
      <h3>{t("genial-scores")}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("genial-player")}</th>
            {COLOURS.map((colour) => (
              <th key={colour} scope="col">
                {t(`colour-genial-${colour}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sides(view).map((seats, index) => (
            <tr key={index}>
              <th scope="row">{seats.map((seat) => names[seat]).join(", ")}</th>
              {COLOURS.map((colour) => (
                <td key={colour}>{view.tracks[index]?.[colour]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <h3>{t("genial-board")}</h3>
      <p>{t("genial-board-help")}</p>
      <ul>
        {[...rows].map(([row, cells]) => (
          <li key={row}>
            {t("genial-row", { row })} {cells.length > 0 ? cells.join(", ") : t("genial-row-empty")}
          </li>
        ))}
      </ul>
      {view.last && <p>{t("genial-last", { first: view.last[0], second: view.last[1] })}</p>}
    </div>
  );
}

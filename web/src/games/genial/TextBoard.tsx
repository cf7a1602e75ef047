import { t } from "../../i18n";
import type { GenialView } from "../../protocol";
import { TextList, TextTable } from "../common/TextTable";
import type { PartProps } from "../types";
import { cellsOf } from "./hex";
import { type Model, tileWords } from "./model";
import { COLOURS, sides } from "./view";

/** The whole table as text. */
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
    <>
      <h2>{t("text-board")}</h2>
      <TextList title={t("genial-hand")} items={(view.hand ?? []).map(tileWords)} />
      <h3>{t("genial-scores")}</h3>
      <TextTable
        head={[t("player"), ...COLOURS.map((colour) => t(`colour-genial-${colour}`))]}
        rows={sides(view).map((seats, index) => [
          seats.map((seat) => names[seat]).join(", "),
          ...COLOURS.map((colour) => view.tracks[index]?.[colour]),
        ])}
      />
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
    </>
  );
}

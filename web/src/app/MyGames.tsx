import { useEffect, useState } from "preact/hooks";
import { refusalText, t } from "../i18n";
import { api } from "../live/api";
import { base } from "../local/here";
import type { TableFacts } from "../protocol";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { failure } from "./create";
import { canGoOn, endOf, inOrder, isMine, others, pointsOf, turnOf } from "./games";
import { gameCards } from "./levels";
import { shortTerms } from "./options";
import { link } from "./router";
import { Top } from "./Top";
import { usePageTitle } from "./title";
import { ago, day } from "./when";
import "./MyGames.css";

/** One's own games: those in play, one's turn first, and those that are over. */
export function MyGames() {
  const [tables, setTables] = useState<TableFacts[]>();
  const [trouble, setTrouble] = useState("");
  usePageTitle(`${t("my-games")} · Tuilerie`);
  useEffect(() => {
    const look = () =>
      api.mine().then(setTables, (error) => setTrouble(refusalText(failure(error))));
    void look();
    void gameCards().catch(() => undefined);
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, []);
  const going = inOrder((tables ?? []).filter(canGoOn));
  const over = (tables ?? []).filter((each) => each.status === "over");
  return (
    <>
      <Top />
      <main class="page my-games-page">
        <h1 class="hidden">{t("my-games")}</h1>
        <Failure words={trouble} />
        <section class="card" aria-labelledby="going">
          <h2 id="going">
            {t("games-going")} <small>{going.length}</small>
          </h2>
          {tables && going.length === 0 && <p class="empty">{t("games-going-none")}</p>}
          <ul class="my-list">
            {going.map((each, index) => (
              <Going key={each.table} table={each} first={index === 0} />
            ))}
          </ul>
        </section>
        <section class="card" aria-labelledby="over">
          <h2 id="over">
            {t("games-over")} <small>{over.length}</small>
          </h2>
          {tables && over.length === 0 && <p class="empty">{t("replay-none")}</p>}
          <ul class="my-list">
            {over.map((each) => (
              <Over key={each.table} table={each} />
            ))}
          </ul>
          <a class="button small" {...link("/replay")}>
            <Icon name="open" size={20} /> {t("replay-open")}
          </a>
        </section>
      </main>
    </>
  );
}

/** Only the first of them has the button in the house colour. */
function Going({ table, first }: { table: TableFacts; first: boolean }) {
  const mine = isMine(table);
  return (
    <li class={mine ? "my-row mine" : "my-row"}>
      <img src={`${base}pictures/${table.game}.svg`} alt="" width="80" height="50" />
      <p>
        <strong>{t(`game-${table.game}`)}</strong>
        <small>
          {others(table)} · {shortTerms(table.game, table.players, table.clock, table.options)}
        </small>
        <small>
          {table.status === "waiting"
            ? t("opened-ago", { ago: ago(table.created) })
            : t("moves-made", { count: table.moves })}
        </small>
      </p>
      <span class="my-turn">{turnOf(table)}</span>
      <a
        class={mine && first ? "button small primary" : "button small"}
        {...link(`/t/${table.table}`)}
      >
        {t(mine ? "play" : "go-on")}
      </a>
    </li>
  );
}

function Over({ table }: { table: TableFacts }) {
  const { result, you = null } = table;
  const place = you === null ? undefined : result?.places[you];
  const points = you === null ? null : pointsOf(table.game, result?.scores[you]);
  return (
    <li class="my-row over">
      <span class={`medal medal-${Math.min(place ?? 4, 4)}`} title={t("place")}>
        {table.players > 1 ? place : ""}
      </span>
      <p>
        <strong>{t(`game-${table.game}`)}</strong>
        <small>{endOf(table)}</small>
      </p>
      <span class="my-points">{points ?? "–"}</span>
      <span class="my-day">{day(table.updated)}</span>
      <a class="button small" {...link(`/r/${table.table}`)}>
        {t("look-back-short")}
      </a>
    </li>
  );
}

import { useEffect, useState } from "preact/hooks";
import { Avatar, EmptySeat, looksIn } from "../art/Avatar";
import { refusalText, sharedWords, speak, t } from "../i18n";
import { api } from "../live/api";
import { base } from "../local/here";
import type { GameFacts, TableFacts } from "../protocol";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { failure } from "./create";
import { nameAt } from "./desk";
import { cards, gameCards } from "./levels";
import { NewTableSheet } from "./NewTable";
import { company, shortTerms } from "./options";
import { link } from "./router";
import { Choice } from "./Settings";
import { Top } from "./Top";
import { usePageTitle } from "./title";
import { ago } from "./when";
import "./Lobby.css";

const LOOK_EVERY = 5_000;
const ALL = "all";

interface Found {
  waiting: TableFacts[];
  playing: TableFacts[];
}

/** Public tables: those that wait for players, and those in play, to watch. */
export function Lobby() {
  const [found, setFound] = useState<Found>();
  const [trouble, setTrouble] = useState("");
  const [game, setGame] = useState(ALL);
  const [opening, setOpening] = useState<GameFacts>();
  usePageTitle(`${t("lobby")} · Tuilerie`);
  useEffect(() => {
    void gameCards().catch(() => undefined);
    void speak(sharedWords);
    const look = () =>
      Promise.all([api.lobby("waiting"), api.lobby("playing")]).then(
        ([waiting, playing]) => {
          setFound({ waiting, playing });
          setTrouble("");
        },
        (error) => setTrouble(refusalText(failure(error))),
      );
    void look();
    const timer = setInterval(look, LOOK_EVERY);
    return () => clearInterval(timer);
  }, []);
  const wanted = (tables: TableFacts[] = []) =>
    tables.filter((each) => game === ALL || each.game === game);
  const games = cards.value.map(({ name }) => [name, t(`game-${name}`)]);
  const chosen = cards.value.find((card) => card.name === game) ?? cards.value[0];
  return (
    <>
      <Top />
      <main class="page lobby-page">
        <header class="lobby-head">
          <div>
            <h1>{t("lobby")}</h1>
            <p class="muted">{t("lobby-text")}</p>
          </div>
          <Choice
            label={t("games")}
            value={game}
            options={[[ALL, t("all-games")], ...games]}
            pick={setGame}
          />
          <button
            type="button"
            class="button primary"
            disabled={!chosen}
            onClick={() => setOpening(chosen)}
          >
            <Icon name="plus" size={20} /> {t("open-a-table")}
          </button>
        </header>
        <Failure words={trouble} />
        <section aria-labelledby="waiting-tables">
          <h2 id="waiting-tables">{t("lobby-waiting")}</h2>
          {found && wanted(found.waiting).length === 0 && <p class="empty">{t("lobby-empty")}</p>}
          <ul class="lobby-tables">
            {wanted(found?.waiting).map((each) => (
              <Waiting key={each.table} table={each} />
            ))}
          </ul>
        </section>
        {wanted(found?.playing).length > 0 && (
          <section aria-labelledby="playing-tables">
            <h2 id="playing-tables">{t("lobby-playing")}</h2>
            <ul class="lobby-games">
              {wanted(found?.playing).map((each) => (
                <Playing key={each.table} table={each} />
              ))}
            </ul>
          </section>
        )}
      </main>
      {opening && (
        <NewTableSheet card={opening} where="lobby" onClose={() => setOpening(undefined)} />
      )}
    </>
  );
}

function namesAt(table: TableFacts): string {
  const people = table.seats.flatMap((seat, index) =>
    seat.kind === "person" ? [nameAt(table.seats, index)] : [],
  );
  return company(people, table.seats.filter((seat) => seat.kind === "bot").length);
}

function termsOf({ game, players, clock, options }: TableFacts): string {
  return shortTerms(game, players, clock, options);
}

/** A table with free seats. */
function Waiting({ table }: { table: TableFacts }) {
  const open = table.seats.filter((seat) => seat.kind === "open").length;
  const name = t(`game-${table.game}`);
  return (
    <li class="card lobby-table">
      <img src={`${base}pictures/${table.game}.svg`} alt="" width="480" height="300" />
      <h3>{name}</h3>
      <p class="muted">
        {termsOf(table)} · {ago(table.created)}
      </p>
      <p class="lobby-seats" aria-hidden="true">
        {table.seats.map((seat, index) =>
          seat.kind === "open" ? (
            <EmptySeat key={index} look={looksIn(table.game)[index] ?? 0} size={32} />
          ) : (
            <Avatar
              key={index}
              look={looksIn(table.game)[index] ?? 0}
              name={nameAt(table.seats, index)}
              size={32}
            />
          ),
        )}
      </p>
      <p>
        <strong>{namesAt(table)}</strong> · {t("seats-open", { count: open })}
      </p>
      <a
        class="button inked"
        {...link(`/t/${table.table}`)}
        aria-label={t("sit-down-at", { game: name, names: namesAt(table) })}
      >
        {t(table.you === null ? "sit-down" : "go-on")}
      </a>
    </li>
  );
}

/** A game in play, to watch. */
function Playing({ table }: { table: TableFacts }) {
  const name = t(`game-${table.game}`);
  const delayed = table.spectators === "delayed" ? ` · ${t("watching-delayed-short")}` : "";
  return (
    <li class="card lobby-game">
      <img src={`${base}pictures/${table.game}.svg`} alt="" width="96" height="60" />
      <div>
        <h3>{name}</h3>
        <p class="muted">{namesAt(table)}</p>
        <p class="muted">
          {t("moves-made", { count: table.moves })}
          {delayed}
        </p>
      </div>
      <a
        class="button small"
        {...link(`/t/${table.table}`)}
        aria-label={t("watch-game", { game: name, names: namesAt(table) })}
      >
        <Icon name="eye" size={20} /> {t("watch")}
      </a>
    </li>
  );
}

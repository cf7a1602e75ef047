import { useEffect, useState } from "preact/hooks";
import { refusalText, t } from "../i18n";
import { api } from "../live/api";
import { HereLine, NeedsServer } from "../local/Anywhere";
import { base, isStatic, playsHere, serverAway } from "../local/here";
import { warmUp } from "../local/page";
import type { GameFacts, Json, TableFacts } from "../protocol";
import { Failure } from "../ui/Failure";
import { level } from "../ui/settings";
import { failure, playNow } from "./create";
import { canGoOn, inOrder, isMine, others, turnOf } from "./games";
import { cards, GAMES, gameCards, levelLine, levelName, usualLevel } from "./levels";
import type { NewTableSheet } from "./NewTable";
import { link } from "./router";
import { Top } from "./Top";
import "./GameList.css";
import "./Home.css";

export function Home() {
  const [mine, setMine] = useState<TableFacts[]>([]);
  const [friends, setFriends] = useState<GameFacts>();
  const [Form, setForm] = useState<typeof NewTableSheet>();
  // The form is fetched when it is asked for: the first page is small.
  useEffect(() => {
    if (friends) void import("./NewTable").then((found) => setForm(() => found.NewTableSheet));
  }, [friends]);
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState("");
  useEffect(() => {
    document.title = "Tuilerie";
    const load = (): Promise<unknown> =>
      gameCards().then(
        () => setTrouble(""),
        (error) => {
          const problem = failure(error);
          if (!serverAway.value) setTrouble(refusalText(problem));
          const { wait } = problem.params;
          if (wait) setTimeout(load, 1000 * Number(wait));
        },
      );
    void load();
    api.mine().then(setMine, () => undefined);
  }, []);

  const start = async (
    game: string,
    opponents: number,
    bots: string,
    options: Record<string, Json>,
  ) => {
    setBusy(game);
    setTrouble("");
    try {
      await gameCards();
      await playNow(game, opponents, bots || usualLevel(game), options);
    } catch (error) {
      setTrouble(refusalText(failure(error)));
    }
    setBusy("");
  };

  return (
    <>
      <Top />
      <main class="page home">
        <header class="hero">
          <h1>{t("home-title")}</h1>
          <p>{t("home-line")}</p>
        </header>
        <Failure words={trouble} />
        <HereLine />
        <MyGames tables={mine} />
        <section class="games" aria-label={t("games")}>
          {GAMES.map((name) => (
            <GameTile
              key={name}
              name={name}
              card={cards.value.find((each) => each.name === name)}
              busy={busy === name}
              onPlay={(...chosen) => void start(name, ...chosen)}
              onFriends={() => setFriends(cards.value.find((each) => each.name === name))}
            />
          ))}
        </section>
        <footer class="home-foot">
          <p>{t("home-foot")}</p>
          {isStatic && <NeedsServer />}
        </footer>
      </main>
      {friends && Form && <Form card={friends} onClose={() => setFriends(undefined)} />}
    </>
  );
}

interface TileProps {
  name: string;
  card: GameFacts | undefined;
  busy: boolean;
  onPlay(opponents: number, bots: string, options: Record<string, Json>): void;
  onFriends(): void;
}

function GameTile({ name, card, busy, onPlay, onFriends }: TileProps) {
  const [opponents, setOpponents] = useState(1);
  const [seconds, setSeconds] = useState<Json>();
  const timer = card?.options.find((option) => option.name === "seconds");
  const chosen = usualLevel(name);
  const [fewest, most] = card?.players ?? [2, 4];
  const title = t(`game-${name}`);
  return (
    <article class={`game-tile ${name}`}>
      <img
        class="game-picture"
        src={`${base}pictures/${name}.svg`}
        alt=""
        width="480"
        height="300"
      />
      <div class="game-words">
        <h2>{title}</h2>
        <p>
          <small>{t(`game-${name}-by`)}</small>
        </p>
        <p>{t(`game-${name}-line`)}</p>
        <div class="game-choices">
          <label>
            <span>{t("against")}</span>
            <select
              value={opponents}
              onChange={(event) => setOpponents(Number(event.currentTarget.value))}
            >
              {fewest === 1 && <option value={0}>{t("against-nobody")}</option>}
              {Array.from({ length: most - 1 }, (_, i) => (
                <option key={i} value={i + 1}>
                  {t("bots-count", { count: i + 1 })}
                </option>
              ))}
            </select>
          </label>
          {timer && (
            <label>
              <span>{t("timer")}</span>
              <select
                value={JSON.stringify(seconds === undefined ? timer.default : seconds)}
                onChange={(event) => setSeconds(JSON.parse(event.currentTarget.value))}
              >
                {timer.values.map((value) => (
                  <option key={String(value)} value={JSON.stringify(value)}>
                    {typeof value === "number" ? t("seconds", { count: value }) : t("none")}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label>
            <span>{t("level")}</span>
            <select
              value={chosen}
              disabled={opponents === 0}
              onChange={(event) => {
                level.value = event.currentTarget.value;
              }}
            >
              {card?.levels.map(({ id }) => (
                <option key={id} value={id}>
                  {levelName(name, id)}
                </option>
              ))}
            </select>
          </label>
        </div>
        <p class="game-level" aria-live="polite">
          {opponents === 0 ? t(`game-${name}-alone`) : levelLine(name, chosen)}
        </p>
        <div
          class="game-buttons"
          onPointerEnter={() => playsHere.value && warmUp()}
          onFocusIn={() => playsHere.value && warmUp()}
        >
          <button
            type="button"
            class="button primary inked"
            disabled={busy}
            onClick={() => onPlay(opponents, chosen, seconds === undefined ? {} : { seconds })}
            aria-label={t("play-now-at", { game: title })}
          >
            {t("play-now")}
          </button>
          <button
            type="button"
            class="button"
            disabled={!card}
            onClick={onFriends}
            aria-label={t("play-friends-at", { game: title })}
          >
            {t("play-friends")}
          </button>
        </div>
        <p class="game-links">
          <a {...link(`/learn/${name}`)} aria-label={t("learn-game", { game: title })}>
            {t("learn")}
          </a>
          <a {...link(`/rules/${name}`)} aria-label={t("rules-of", { game: title })}>
            {t("rules")}
          </a>
        </p>
      </div>
    </article>
  );
}

function MyGames({ tables }: { tables: TableFacts[] }) {
  const open = inOrder(tables.filter(canGoOn));
  if (open.length === 0) return null;
  return (
    <section class="my-games">
      <h2>
        <a {...link("/games")}>{t("my-games")}</a>
      </h2>
      <ul>
        {open.slice(0, 6).map((each) => (
          <li key={each.table}>
            <a class="my-game" {...link(`/t/${each.table}`)}>
              <strong>{t(`game-${each.game}`)}</strong>
              <span>{others(each)}</span>
              <em class={isMine(each) ? "mine" : ""}>{turnOf(each) || t("go-on")}</em>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

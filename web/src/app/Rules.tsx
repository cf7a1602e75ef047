import { useEffect, useState } from "preact/hooks";
import { refusalText, sharedWords, speak, t } from "../i18n";
import { api } from "../live/api";
import { Failure } from "../ui/Failure";
import { lang } from "../ui/settings";
import { failure } from "./create";
import { GAMES } from "./levels";
import { chaptersOf, Markdown } from "./Markdown";
import { link } from "./router";
import { Top } from "./Top";
import { usePageTitle } from "./title";
import "./Rules.css";

/** What stands before the summary, the summary, and all chapters; a text is all of one piece
 * while it loads. */
function partsOf(text: string): [string, string, string] {
  const [head = "", brief = "", ...rest] = text.split(/^(?=## )/m);
  return [head, brief, rest.join("")];
}

/** The rulebook of a game, in our own words. */
export function Rules({ game }: { game: string }) {
  const [text, setText] = useState("");
  const [trouble, setTrouble] = useState("");
  const code = lang.value;
  usePageTitle(`${t("rules-of", { game: t(`game-${game}`) })} · Tuilerie`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is in the user's language
  useEffect(() => {
    void speak(sharedWords);
    api.rules(game, code).then(
      (found) => {
        setText(found);
        setTrouble("");
      },
      (error) => setTrouble(refusalText(failure(error))),
    );
  }, [game, code]);
  const [head, brief, chapters] = partsOf(text);
  return (
    <>
      <Top />
      <main class="page rulebook">
        <div class="rule-columns">
          <header class="stack">
            <Failure words={trouble} />
            <Markdown text={head} game={game} />
          </header>
          <aside class="rule-brief" hidden={!brief}>
            <div class="card stack">
              <Markdown text={brief} game={game} />
              <a class="button" {...link(`/learn/${game}`)}>
                {t("learn")}
              </a>
            </div>
          </aside>
          <div class="stack rule-text">
            <Markdown text={chapters} game={game} />
            <p>
              <a class="button" {...link("/")}>
                {t("back-home")}
              </a>
            </p>
          </div>
          <nav class="rule-chapters" aria-label={t("rules-chapters")}>
            <p class="row">
              {GAMES.map((each) => (
                <a
                  key={each}
                  class={each === game ? "button small inked" : "button small"}
                  aria-current={each === game ? "page" : undefined}
                  {...link(`/rules/${each}`)}
                >
                  {t(`game-${each}`)}
                </a>
              ))}
            </p>
            <ul class="rule-list">
              {chaptersOf(chapters).map(({ id, title }) => (
                <li key={id}>
                  <a href={`#${id}`}>{title}</a>
                </li>
              ))}
            </ul>
          </nav>
        </div>
      </main>
    </>
  );
}

import { useEffect, useState } from "preact/hooks";
import { refusalText, sharedWords, speak, t } from "../i18n";
import { api } from "../live/api";
import { lang } from "../ui/settings";
import { failure } from "./create";
import { Markdown } from "./Markdown";
import { link } from "./router";
import { Top } from "./Top";
import { usePageTitle } from "./title";
import "./Rules.css";

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
  return (
    <>
      <Top />
      <main class="page narrow rulebook">
        {trouble && (
          <p class="notice bad" role="alert">
            {trouble}
          </p>
        )}
        <Markdown text={text} game={game} />
        <p>
          <a class="button" {...link(`/learn/${game}`)}>
            {t("learn")}
          </a>{" "}
          <a class="button" {...link("/")}>
            {t("back-home")}
          </a>
        </p>
      </main>
    </>
  );
}

import { useEffect, useState } from "preact/hooks";
import { refusalText, t } from "../i18n";
import { api } from "../live/api";
import type { TableFacts } from "../protocol";
import { failure } from "./create";
import { nameAt } from "./desk";
import { link } from "./router";
import { Top } from "./Top";
import { usePageTitle } from "./title";
import "./GameList.css";

const LOOK_EVERY = 5_000;

export function Lobby() {
  const [tables, setTables] = useState<TableFacts[]>();
  const [trouble, setTrouble] = useState("");
  usePageTitle(`${t("lobby")} · Tuilerie`);
  useEffect(() => {
    const look = () =>
      api.lobby().then(
        (found) => {
          setTables(found);
          setTrouble("");
        },
        (error) => setTrouble(refusalText(failure(error))),
      );
    void look();
    const timer = setInterval(look, LOOK_EVERY);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <Top />
      <main class="page narrow">
        <h1>{t("lobby")}</h1>
        <p class="muted">{t("lobby-text")}</p>
        {trouble && (
          <p class="notice bad" role="alert">
            {trouble}
          </p>
        )}
        {tables?.length === 0 && <p class="empty">{t("lobby-empty")}</p>}
        <ul class="lobby">
          {tables?.map((each) => (
            <li key={each.table}>
              <a class="my-game" {...link(`/t/${each.table}`)}>
                <strong>{t(`game-${each.game}`)}</strong>
                <span>
                  {each.seats
                    .map((seat, index) => (seat.kind === "open" ? "" : nameAt(each.seats, index)))
                    .filter(Boolean)
                    .join(", ")}
                </span>
                <em>
                  {t("seats-open", {
                    count: each.seats.filter((seat) => seat.kind === "open").length,
                  })}
                </em>
              </a>
            </li>
          ))}
        </ul>
        <a class="button" {...link("/")}>
          {t("back-home")}
        </a>
      </main>
    </>
  );
}

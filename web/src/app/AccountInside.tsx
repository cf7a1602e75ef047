import { useEffect, useState } from "preact/hooks";
import { refusalText, t } from "../i18n";
import { api } from "../live/api";
import { handOver, notHanded } from "../local/handover";
import type { TableFacts, Visitor } from "../protocol";
import { announce } from "../ui/announce";
import { Failure } from "../ui/Failure";
import { playerName } from "../ui/settings";
import { type Choosable, ChooseGames } from "./ChooseGames";
import { failure } from "./create";
import { Form, PASSWORD_LEAST, Password } from "./fields";
import { endOf, others, pointsOf, turnOf } from "./games";
import { link } from "./router";
import { day } from "./when";
import "./GameList.css";
import "./AccountInside.css";

interface OwnProps {
  who: Visitor;
  /** Reload the session from the server. */
  look(): Promise<void>;
  /** Called when the session has ended, with the reason. */
  onLeave(words: string): void;
}

/** The page of the account that is logged in. */
export function OwnAccount({ who, look, onLeave }: OwnProps) {
  const [trouble, setTrouble] = useState("");
  const [claimed, setClaimed] = useState("");
  const [count, setCount] = useState(0);
  const [here, setHere] = useState<Choosable[]>([]);
  const lookHere = () => void notHanded().then(setHere);
  useEffect(lookHere, []);
  /** So many games are new in the account. */
  const report = (added: number) => {
    const words = t("account-claimed", { count: added });
    setClaimed(words);
    setCount(count + added);
    announce(words);
  };
  const leave = (words: string) => {
    if (playerName.value === who.login) playerName.value = "";
    onLeave(words);
  };
  const logOut = () =>
    api.logOut().then(
      () => leave(t("account-left")),
      (error) => setTrouble(refusalText(failure(error))),
    );
  return (
    <>
      <div class="account-head">
        <h1 tabIndex={-1}>{who.login}</h1>
        <button type="button" class="button" onClick={() => void logOut()}>
          {t("account-log-out")}
        </button>
      </div>
      <Failure words={trouble} />
      {claimed && <p class="notice">{claimed}</p>}
      <ChooseGames
        title={t("account-guest-title")}
        text={t("account-guest-text")}
        games={who.seats}
        add={async (tables) => {
          report((await api.claim(tables)).seats);
          await look();
        }}
      />
      <ChooseGames
        title={t("account-here-title")}
        text={t("account-here-text")}
        games={here}
        add={async (tables) => {
          const { count, trouble } = await handOver(tables);
          report(count);
          lookHere();
          if (trouble) throw trouble;
        }}
      />
      <Games key={count} />
      <details>
        <summary>{t("account-change")}</summary>
        <ChangePassword login={who.login ?? ""} />
      </details>
      <details>
        <summary>{t("account-delete")}</summary>
        <Delete login={who.login ?? ""} onDone={() => leave(t("account-deleted"))} />
      </details>
    </>
  );
}

/** The latest games of the account and of this device, the newest first. */
function Games() {
  const [tables, setTables] = useState<TableFacts[]>();
  useEffect(() => void api.mine().then(setTables, () => undefined), []);
  if (!tables) return null;
  return (
    <section class="stack">
      <h2>{t("my-games")}</h2>
      {tables.length === 0 && <p class="empty">{t("account-no-games")}</p>}
      <ul class="lobby">
        {tables.map((each) => (
          <li key={each.table}>
            <a
              class="my-game"
              {...link(each.status === "over" ? `/r/${each.table}` : `/t/${each.table}`)}
            >
              <strong>{t(`game-${each.game}`)}</strong>
              <span>
                {each.status === "over" ? endOf(each) : others(each)} · {day(each.updated)}
              </span>
              <em>{each.status === "over" ? scoreOf(each) : turnOf(each) || t("go-on")}</em>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Our own points, and where to look back. */
function scoreOf(table: TableFacts): string {
  const own = table.you ?? null;
  const points = own === null ? null : pointsOf(table.game, table.result?.scores[own]);
  return points === null ? t("look-back-short") : t("points-count", { count: points });
}

/** Why the password was refused. The name is right here, so only the password can be wrong. */
function refused(error: unknown): string {
  const why = failure(error);
  return why.rule === "wrong-password" ? t("account-wrong-password") : refusalText(why);
}

/** A hidden user name, for password managers. */
function Whose({ login }: { login: string }) {
  return <input hidden readOnly autocomplete="username" value={login} />;
}

function ChangePassword({ login }: { login: string }) {
  const [password, setPassword] = useState("");
  const [fresh, setFresh] = useState("");
  const [trouble, setTrouble] = useState("");
  const [done, setDone] = useState(false);
  const [busy, setBusy] = useState(false);
  const change = async () => {
    const short = fresh.length < PASSWORD_LEAST;
    setTrouble(short ? t("account-password-short", { least: PASSWORD_LEAST }) : "");
    if (short) return;
    setBusy(true);
    try {
      await api.changePassword(password, fresh);
      setPassword("");
      setFresh("");
      setDone(true);
      announce(t("account-changed"));
    } catch (error) {
      setTrouble(refused(error));
    }
    setBusy(false);
  };
  return (
    <Form send={change}>
      <p class="muted">{t("account-change-text")}</p>
      <Whose login={login} />
      <Password label={t("account-old-password")} value={password} onInput={setPassword} />
      <Password label={t("account-new-password")} fresh value={fresh} onInput={setFresh} />
      <Failure words={trouble} />
      {done && !trouble && !fresh && <p class="notice">{t("account-changed")}</p>}
      <button type="submit" class="button" disabled={busy || !password || !fresh}>
        {t("account-change")}
      </button>
    </Form>
  );
}

function Delete({ login, onDone }: { login: string; onDone(): void }) {
  const [password, setPassword] = useState("");
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const erase = async () => {
    setBusy(true);
    try {
      await api.deleteAccount(password);
      onDone();
    } catch (error) {
      setTrouble(refused(error));
      setBusy(false);
    }
  };
  return (
    <Form send={erase}>
      <p>{t("account-delete-text")}</p>
      <Whose login={login} />
      <Password label={t("account-password")} value={password} onInput={setPassword} />
      <Failure words={trouble} />
      <button type="submit" class="button danger" disabled={busy || !password}>
        {t("account-delete-sure")}
      </button>
    </Form>
  );
}

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { accountWords, refusalText, speak, t } from "../i18n";
import { api } from "../live/api";
import type { Visitor } from "../protocol";
import { NAME_LENGTH } from "../protocol";
import { announce } from "../ui/announce";
import { Failure } from "../ui/Failure";
import { playerName } from "../ui/settings";
import { OwnAccount } from "./AccountInside";
import { failure } from "./create";
import { Form, PASSWORD_LEAST, Password } from "./fields";
import { goBack } from "./router";
import { Choice } from "./Settings";
import { Top } from "./Top";
import { usePageTitle } from "./title";

const NAME_LEAST = 3;

const NOBODY: Visitor = { login: null, seats: [] };

/** The account page. `back` is the table from which it was opened. */
export function AccountPage({ back }: { back: string | null }) {
  const [who, setWho] = useState<Visitor>();
  const [trouble, setTrouble] = useState("");
  const [farewell, setFarewell] = useState("");
  const main = useRef<HTMLElement>(null);
  usePageTitle(`${t("account")} · Tuilerie`);
  const look = useCallback(async () => {
    setTrouble("");
    try {
      const [found] = await Promise.all([api.visitor(), speak(accountWords)]);
      setWho(found);
    } catch (error) {
      setTrouble(refusalText(failure(error)));
    }
  }, []);
  useEffect(() => void look(), [look]);
  /** The session changed: hide the previous account at once, before the server answers. */
  const change = (now: Visitor, words: string) => {
    setWho(now);
    announce(words);
    void look().then(() => main.current?.querySelector("h1")?.focus());
  };
  return (
    <>
      <Top />
      <main class="page narrow" aria-busy={!who && !trouble} ref={main}>
        <Failure words={trouble} />
        {trouble && (
          <button type="button" class="button" onClick={() => void look()}>
            {t("try-again")}
          </button>
        )}
        {who?.login && (
          <OwnAccount
            key={who.login}
            who={who}
            look={look}
            onLeave={(words) => {
              setFarewell(words);
              change(NOBODY, words);
            }}
          />
        )}
        {who && !who.login && (
          <Welcome
            farewell={farewell}
            onDone={(login) => {
              setFarewell("");
              playerName.value ||= login;
              const hello = t("account-hello", { name: login });
              if (!back) return change({ login, seats: [] }, hello);
              announce(hello);
              goBack(back);
            }}
          />
        )}
      </main>
    </>
  );
}

interface WelcomeProps {
  farewell: string;
  onDone(login: string): void;
}

/** Log in or create an account: the same two fields. */
function Welcome({ farewell, onDone }: WelcomeProps) {
  const [making, setMaking] = useState(false);
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async () => {
    const wrong = making ? fault(login, password) : "";
    setTrouble(wrong);
    if (wrong) return;
    setBusy(true);
    try {
      const found = making
        ? await api.makeAccount(login, password)
        : await api.logIn(login, password);
      onDone(found.login);
    } catch (error) {
      setTrouble(refusalText(failure(error)));
      setBusy(false);
    }
  };
  return (
    <>
      <h1 tabIndex={-1}>{t("account")}</h1>
      {farewell && <p class="notice">{farewell}</p>}
      <p class="muted">{t("account-text")}</p>
      <Form card send={send}>
        <Choice
          label={t("account-which")}
          value={making ? "make" : "have"}
          options={["have", "make"].map((each) => [each, t(`account-${each}`)])}
          pick={(which) => {
            setMaking(which === "make");
            setTrouble("");
          }}
        />
        <label class="field">
          <span>{t("account-name")}</span>
          <input
            name="username"
            autocomplete="username"
            autocapitalize="none"
            spellcheck={false}
            maxLength={making ? NAME_LENGTH : 64}
            value={login}
            onInput={(event) => setLogin(event.currentTarget.value)}
          />
        </label>
        <Password
          label={t("account-password")}
          fresh={making}
          value={password}
          onInput={setPassword}
        />
        {making && (
          <p class="muted">
            {t("account-name-short", { least: NAME_LEAST, most: NAME_LENGTH })}{" "}
            {t("account-password-short", { least: PASSWORD_LEAST })} {t("account-no-mail")}
          </p>
        )}
        <Failure words={trouble} />
        <button type="submit" class="button primary wide" disabled={busy || !login || !password}>
          {t(making ? "account-make-it" : "account-log-in")}
        </button>
      </Form>
    </>
  );
}

/** Validates the form before it is sent; the server validates again. */
function fault(login: string, password: string): string {
  if (login.trim().length < NAME_LEAST) {
    return t("account-name-short", { least: NAME_LEAST, most: NAME_LENGTH });
  }
  return password.length < PASSWORD_LEAST
    ? t("account-password-short", { least: PASSWORD_LEAST })
    : "";
}

import { useEffect, useState } from "preact/hooks";
import { refusalText, t } from "../i18n";
import { api } from "../live/api";
import type { LiveTable } from "../live/table";
import type { Visitor } from "../protocol";
import { NAME_LENGTH } from "../protocol";
import { Failure } from "../ui/Failure";
import { playerName } from "../ui/settings";
import { failure, myName } from "./create";
import { nameAt } from "./desk";
import { company } from "./options";
import { link } from "./router";
import { usePageTitle } from "./title";
import { TableHead } from "./WaitingRoom";

interface JoinProps {
  table: LiveTable;
  /** Whether we had a seat here and have it no longer. */
  lost: boolean;
  onSeat(): void;
}

/** The form to join a table by its link: a name. */
export function JoinForm({ table, lost, onSeat }: JoinProps) {
  const view = table.view.value!;
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  usePageTitle(`${t("join-title", { game: t(`game-${view.game}`) })} · Tuilerie`);
  const sit = async () => {
    setBusy(true);
    try {
      await api.sit(table.slug, myName());
      onSeat();
    } catch (error) {
      setTrouble(refusalText(failure(error)));
      setBusy(false);
    }
  };
  const bots = view.seats.filter((seat) => seat.kind === "bot").length;
  const there = view.seats.flatMap((seat, index) =>
    seat.kind === "person" ? [nameAt(view.seats, index)] : [],
  );
  return (
    <main class="page narrow">
      <TableHead table={table} />
      {lost && (
        <p class="notice" role="status">
          {t("seat-free-again")}
        </p>
      )}
      <p>
        {t("join-with", { names: company(there, bots) })} ·{" "}
        {t("seats-open", { count: view.seats.filter((seat) => seat.kind === "open").length })}
      </p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void sit();
        }}
      >
        <label class="field">
          <span>{t("your-name")}</span>
          <input
            maxLength={NAME_LENGTH}
            placeholder={t("guest")}
            value={playerName.value}
            onInput={(event) => {
              playerName.value = event.currentTarget.value;
            }}
          />
        </label>
        <Failure words={trouble} />
        <button type="submit" class="button primary wide" disabled={busy}>
          {t("sit-down")}
        </button>
      </form>
      <AccountLine slug={table.slug} />
      <p class="waiting-links">
        <a {...link(`/learn/${view.game}`)}>{t("never-played")}</a>
      </p>
    </main>
  );
}

/** Says whether the game will belong to an account or to this browser only. */
function AccountLine({ slug }: { slug: string }) {
  const [who, setWho] = useState<Visitor>();
  useEffect(() => void api.visitor().then(setWho, () => undefined), []);
  if (!who) return null;
  if (who.login) return <p class="muted">{t("join-as", { name: who.login })}</p>;
  return (
    <p class="waiting-links">
      <a {...link(`/account?table=${slug}`)}>{t("join-account")}</a>
    </p>
  );
}

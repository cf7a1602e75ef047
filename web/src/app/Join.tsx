import { useEffect, useState } from "preact/hooks";
import { refusalText, t } from "../i18n";
import { api } from "../live/api";
import type { LiveTable } from "../live/table";
import type { Visitor } from "../protocol";
import { NAME_LENGTH } from "../protocol";
import { playerName } from "../ui/settings";
import { terms } from "./clocks";
import { failure, myName } from "./create";
import { nameAt } from "./desk";
import { link } from "./router";
import { usePageTitle } from "./title";

/** The form to join a table by its link: a name. */
export function JoinForm({ table, onSeat }: { table: LiveTable; onSeat(): void }) {
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
  const there = view.seats
    .map((seat, index) => (seat.kind === "open" ? "" : nameAt(view.seats, index)))
    .filter(Boolean);
  return (
    <main class="page narrow">
      <h1>{t("join-title", { game: t(`game-${view.game}`) })}</h1>
      <p class="muted">{t("join-with", { names: there.join(", ") })}</p>
      <p class="muted">{terms(view.config)}</p>
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
        {trouble && (
          <p class="notice bad" role="alert">
            {trouble}
          </p>
        )}
        <button type="submit" class="button primary wide" disabled={busy}>
          {t("sit-down")}
        </button>
      </form>
      <AccountLine slug={table.slug} />
      <p>
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
    <p>
      <a {...link(`/account?table=${slug}`)}>{t("join-account")}</a>
    </p>
  );
}

import { useState } from "preact/hooks";
import { refusalText, t } from "../i18n";
import type { GuestSeat } from "../protocol";
import { Failure } from "../ui/Failure";
import { failure } from "./create";
import { day } from "./when";

/** A game of this browser that the account can have. */
export type Choosable = GuestSeat;

interface Props {
  title: string;
  text: string;
  games: Choosable[];
  /** Add these tables. */
  add(tables: string[]): Promise<void>;
}

/** Games of this browser, to select and to add to the account. */
export function ChooseGames({ title, text, games, add }: Props) {
  const [left, setLeft] = useState<string[]>([]);
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  if (games.length === 0) return null;
  const mine = games.map((each) => each.table).filter((each) => !left.includes(each));
  const send = async () => {
    setBusy(true);
    setTrouble("");
    await add(mine).catch((error) => setTrouble(refusalText(failure(error))));
    setBusy(false);
  };
  return (
    <section class="card stack">
      <h2>{title}</h2>
      <p class="muted">{text}</p>
      <ul class="checks">
        {games.map((each) => (
          <li key={each.table}>
            <label>
              <input
                type="checkbox"
                checked={!left.includes(each.table)}
                onChange={(event) =>
                  setLeft(
                    event.currentTarget.checked
                      ? left.filter((table) => table !== each.table)
                      : [...left, each.table],
                  )
                }
              />
              <span>
                {each.name
                  ? t("account-guest-seat", { game: t(`game-${each.game}`), name: each.name })
                  : t(`game-${each.game}`)}
                <span class="muted"> · {day(each.updated)}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <Failure words={trouble} />
      <button
        type="button"
        class="button primary"
        disabled={busy || mine.length === 0}
        onClick={() => void send()}
      >
        {t("account-claim", { count: mine.length })}
      </button>
    </section>
  );
}

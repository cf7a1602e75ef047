import { useState } from "preact/hooks";
import { timeLeft } from "../games/common/Scores";
import type { GameModule } from "../games/types";
import { refusalText, t } from "../i18n";
import { api } from "../live/api";
import type { LiveTable } from "../live/table";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { Sheet } from "../ui/Sheet";
import { failure } from "./create";
import { GUESTS, givenUp, labelOf, nameAt, watchDelay } from "./desk";
import { levelName } from "./levels";
import { link } from "./router";
import { SettingsForm } from "./Settings";
import { LinkRow, SharePanel } from "./Share";
import "./Seats.css";
import "./TableMenu.css";

interface MenuProps {
  table: LiveTable;
  game: GameModule;
  /** Whether the list of keys was requested. */
  keys: boolean;
  onClose(): void;
}

const TURN_KEYS: NonNullable<GameModule["keys"]> = [
  ["↵", "key-end-turn"],
  ["U, Ctrl+Z", "key-undo"],
];

/** The menu of the table. */
export function TableMenu({ table, game, keys, onClose }: MenuProps) {
  const view = table.view.value!;
  const you = table.you.value;
  const playing = table.status.value === "playing" && you !== null && !givenUp(table, you);
  const company = view.seats.some((seat, index) => seat.kind === "person" && index !== you);
  const late = watchDelay(table);
  const [sure, setSure] = useState(false);
  const times = timesLeft(table);
  return (
    <Sheet title={t("table-menu")} onClose={onClose} kind="side">
      <div class="stack">
        <ol class="seats" aria-label={t("players")}>
          {view.seats.map((seat, index) => (
            <li key={index} class={seat.kind === "open" ? "seat open" : "seat"} data-seat={index}>
              <Icon name={seat.kind === "bot" ? "bot" : "person"} />
              <span class="seat-name">
                {labelOf(nameAt(view.seats, index), index === you)}
                {index === you && !GUESTS.includes(nameAt(view.seats, index)) && (
                  <em> {t("that-is-you")}</em>
                )}
                {seat.kind === "bot" && (
                  <em class="seat-level"> {levelName(view.game, seat.level ?? "")}</em>
                )}
              </span>
              {index in times && <span class="seat-time">{times[index]}</span>}
              {seat.kind === "person" && (
                <span class={table.presence.value[index] ? "here yes" : "here"}>
                  {table.presence.value[index] ? t("here") : t("away")}
                </span>
              )}
            </li>
          ))}
        </ol>
        {view.assisted && <p class="muted">{t("assisted-game")}</p>}
        {table.hurried.value && <p class="muted">{t("bots-hurried")}</p>}
        {table.spectators.value > 0 && (
          <p class="muted">{t("spectators", { count: table.spectators.value })}</p>
        )}
        {late !== null && <p class="muted">{t("watch-delay", { seconds: late })}</p>}
        {you !== null && company && (
          <div class="reactions" role="group" aria-label={t("reactions")}>
            {view.reactions.map((each) => (
              <button
                key={each}
                type="button"
                class="button small"
                onClick={() => {
                  table.ask({ kind: "react", reaction: each });
                  onClose();
                }}
              >
                {t(`reaction-${each}`)}
              </button>
            ))}
          </div>
        )}
        <nav class="menu-links">
          <a {...link(`/rules/${view.game}`)}>{t("rules")}</a>
          <a {...link(`/learn/${view.game}`)}>{t("learn")}</a>
          {table.status.value === "over" && <a {...link(`/r/${table.slug}`)}>{t("look-back")}</a>}
        </nav>
        {playing && <Takeback table={table} />}
        {playing && (
          <button
            type="button"
            class="button danger"
            onClick={() => {
              if (!sure) {
                setSure(true);
                return;
              }
              table.ask({ kind: "resign" });
              onClose();
            }}
          >
            {sure ? t("resign-sure") : t("resign")}
          </button>
        )}
        {game.keys && (
          <details class="menu-keys" open={keys}>
            <summary>{t("keys")}</summary>
            <KeyList
              keys={[
                ...game.keys,
                ...(game.turns ? TURN_KEYS : []),
                ["H", "key-hint"],
                ["?", "key-help"],
              ]}
            />
          </details>
        )}
        <details>
          <summary>{t("settings")}</summary>
          <SettingsForm />
        </details>
        {you !== null && <OtherDevice slug={table.slug} />}
        {table.status.value !== "over" && (
          <details>
            <summary>{t("share-watch")}</summary>
            <SharePanel slug={table.slug} />
          </details>
        )}
      </div>
    </Sheet>
  );
}

/** The remaining time of each seat, with a clock per game. */
function timesLeft(table: LiveTable): string[] {
  const now = table.connection.now();
  return (table.view.value?.clock ?? []).flatMap(({ left, deadline }) =>
    left === null
      ? []
      : [timeLeft(Math.max(0, Math.ceil((deadline ? deadline - now : left) / 1000)))],
  );
}

/** The recovery link of one's own seat. Requested on demand: it gives access to the seat. */
function OtherDevice({ slug }: { slug: string }) {
  const [made, setMade] = useState<{ link: string; qr: string }>();
  const [trouble, setTrouble] = useState("");
  const [asking, setAsking] = useState(false);
  const ask = async () => {
    if (made || asking) return;
    setAsking(true);
    setTrouble("");
    await api.seatLink(slug).then(setMade, (error) => setTrouble(refusalText(failure(error))));
    setAsking(false);
  };
  return (
    <details
      class="other-device"
      onToggle={(event) => {
        if (event.currentTarget.open) void ask();
      }}
    >
      <summary>{t("other-device")}</summary>
      {asking && <p class="muted">{t("loading")}</p>}
      <Failure words={trouble} />
      {made && (
        <div class="share">
          <p class="muted">{t("other-device-text")}</p>
          <LinkRow address={made.link} />
          <img class="qr" src={made.qr} alt={t("qr-seat")} width="180" height="180" />
        </div>
      )}
    </details>
  );
}

function KeyList({ keys }: { keys: NonNullable<GameModule["keys"]> }) {
  return (
    <dl class="keys">
      {keys.map(([pressed, words]) => (
        <div key={words}>
          <dt>
            <kbd>{pressed}</kbd>
          </dt>
          <dd>{t(words)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A takeback request, shown to those who have to answer. */
export function TakebackAsked({ table }: { table: LiveTable }) {
  const view = table.view.value!;
  const you = table.you.value;
  const asked = view.takeback;
  if (!asked || you === null || !asked.silent.includes(you)) return null;
  return (
    <div class="notice" role="alert">
      <p>{t("takeback-asked", { name: nameAt(view.seats, asked.seat) })}</p>
      <div class="row">
        <button
          type="button"
          class="button small primary"
          onClick={() => table.ask({ kind: "answer-takeback", yes: true })}
        >
          {t("yes")}
        </button>
        <button
          type="button"
          class="button small"
          onClick={() => table.ask({ kind: "answer-takeback", yes: false })}
        >
          {t("no")}
        </button>
      </div>
    </div>
  );
}

function Takeback({ table }: { table: LiveTable }) {
  const view = table.view.value!;
  const you = table.you.value;
  const asking = view.takeback?.seat ?? null;
  if (!view.can_takeback && asking === null) return <p class="muted">{t("takeback-cannot")}</p>;
  return (
    <button
      type="button"
      class="button"
      disabled={!view.can_takeback}
      onClick={() => table.ask({ kind: "ask-takeback" })}
    >
      <Icon name="undo" size={18} /> {asking === you ? t("takeback-waits") : t("takeback")}
    </button>
  );
}

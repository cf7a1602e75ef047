import { useState } from "preact/hooks";
import { has, refusalText, sharedWords, speak, t } from "../i18n";
import { api } from "../live/api";
import { playsHere } from "../local/here";
import {
  type GameFacts,
  type Json,
  NAME_LENGTH,
  type NewTable,
  type OptionFacts,
} from "../protocol";
import { Sheet } from "../ui/Sheet";
import { playerName } from "../ui/settings";
import { CLOCKS, clockName } from "./clocks";
import { createOnDevice, failure, myName } from "./create";
import { go } from "./router";
import { Choice } from "./Settings";

type Watching = NonNullable<NewTable["spectators"]>;
const WATCHING: Watching[] = ["live", "delayed", "none"];

/** The form for a new table: by link, in the lobby, or on this device. */
export function NewTableSheet({ card, onClose }: { card: GameFacts; onClose(): void }) {
  const [fewest, most] = card.players;
  const [players, setPlayers] = useState(Math.max(2, fewest));
  const [where, setWhere] = useState(playsHere.value ? "device" : "link");
  const [clock, setClock] = useState("none");
  const [watching, setWatching] = useState<Watching>("live");
  const [options, setOptions] = useState<Record<string, Json>>({});
  const [names, setNames] = useState<string[]>([]);
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const [, setReady] = useState(false);
  if (!has("rule-game-over")) void speak(sharedWords).then(() => setReady(true));

  const create = async () => {
    setBusy(true);
    setTrouble("");
    try {
      const table: Omit<NewTable, "name"> = {
        game: card.name,
        players,
        options: where === "device" && isTimed(card) ? { ...options, seconds: null } : options,
        clock: CLOCKS[clock] ?? { kind: "none" },
        public: where === "lobby",
        spectators: where === "device" ? "live" : watching,
        bots: [],
      };
      if (where === "device") {
        const called = Array.from({ length: players }, (_, i) => names[i]?.trim() || nameOf(i));
        await createOnDevice(table, called);
        return;
      }
      const made = await api.create({ ...table, name: myName() });
      go(`/t/${made.table}`);
    } catch (error) {
      setTrouble(refusalText(failure(error)));
      setBusy(false);
    }
  };

  const counts = Array.from({ length: most - fewest + 1 }, (_, i) => String(i + fewest));
  return (
    <Sheet title={t("new-table", { game: t(`game-${card.name}`) })} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Choice
          label={t("players")}
          value={String(players)}
          options={counts.map((each) => [each, each])}
          pick={(each) => {
            setPlayers(Number(each));
            setOptions({});
            if (each === "1")
              setWhere("link"); // a solo game needs no lobby
            else if (playsHere.value) setWhere("device");
          }}
        />
        {players > 1 && (
          <>
            <Choice
              label={t("where")}
              value={where}
              options={places().map((each) => [each, t(`where-${each}`)])}
              pick={setWhere}
            />
            <p class="muted">
              {t(`where-${where}-text`)}{" "}
              {where === "device" && isTimed(card) && t("where-device-untimed")}
            </p>
          </>
        )}
        {where === "device" ? (
          Array.from({ length: players }, (_, seat) => (
            <label class="field" key={seat}>
              <span>{t("name-of-player", { number: seat + 1 })}</span>
              <input
                maxLength={NAME_LENGTH}
                placeholder={nameOf(seat)}
                value={names[seat] ?? ""}
                onInput={(event) => {
                  const changed = [...names];
                  changed[seat] = event.currentTarget.value;
                  setNames(changed);
                }}
              />
            </label>
          ))
        ) : (
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
        )}
        <Select
          label={t("clock")}
          value={clock}
          options={Object.entries(CLOCKS).map(([name, each]) => [name, clockName(each)])}
          pick={setClock}
        />
        {where !== "device" && (
          <Select
            label={t("watching")}
            value={watching}
            options={WATCHING.map((each) => [each, t(`watching-${each}`)])}
            pick={(each) => setWatching(each as Watching)}
          />
        )}
        <Options
          card={card}
          players={players}
          timed={where !== "device"}
          chosen={options}
          choose={setOptions}
        />
        {trouble && (
          <p class="notice bad" role="alert">
            {trouble}
          </p>
        )}
        <button type="submit" class="button primary wide" disabled={busy}>
          {t("create-table")}
        </button>
      </form>
    </Sheet>
  );
}

/** Where players can meet: without a server, only around this device. */
function places(): string[] {
  return playsHere.value ? ["device"] : ["link", "lobby", "device"];
}

interface SelectProps {
  label: string;
  value: string;
  options: string[][];
  pick(value: string): void;
}

/** A drop-down list. */
function Select({ label, value, options, pick }: SelectProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => pick(event.currentTarget.value)}>
        {options.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function nameOf(seat: number): string {
  return seat === 0 && playerName.value.trim()
    ? playerName.value.trim()
    : t("player-number", { number: seat + 1 });
}

/** Whether the game has its own timer, during which all build at once. */
function isTimed(card: GameFacts): boolean {
  return card.options.some((option) => option.name === "seconds");
}

interface OptionsProps {
  card: GameFacts;
  players: number;
  /** Whether a timer can be chosen: on one device players build one after the other. */
  timed: boolean;
  chosen: Record<string, Json>;
  choose(options: Record<string, Json>): void;
}

/** The options of a game whose values can be listed. */
function Options({ card, players, timed, chosen, choose }: OptionsProps) {
  const listed = card.options.filter(
    ({ name, values }) => values.length > 1 && (timed || name !== "seconds"),
  );
  if (listed.length === 0) return null;
  return (
    <details class="options">
      <summary>{t("options")}</summary>
      <div class="stack">
        {listed.map((option) => (
          <div key={option.name}>
            <Choice
              label={t(`option-${card.name}-${option.name}-name`)}
              value={JSON.stringify(picked(option, chosen, players))}
              options={option.values
                .filter((value) => fits(value, players))
                .map((value) => [JSON.stringify(value), valueName(card.name, option.name, value)])}
              pick={(value) => choose({ ...chosen, [option.name]: JSON.parse(value) as Json })}
            />
            <p class="muted">{about(card.name, option.name, picked(option, chosen, players))}</p>
          </div>
        ))}
        {card.name === "genial" && players > 1 && <First chosen={chosen} choose={choose} />}
      </div>
    </details>
  );
}

const FIRST = "first";

/** Who begins: the first seat (the default), or a random one. */
function First({ chosen, choose }: Pick<OptionsProps, "chosen" | "choose">) {
  const pick = (value: string) => {
    const { [FIRST]: _, ...others } = chosen;
    choose(value === "lot" ? { ...others, [FIRST]: value } : others);
  };
  return (
    <div>
      <Choice
        label={t("who-begins")}
        value={FIRST in chosen ? "lot" : "seat"}
        options={["seat", "lot"].map((each) => [each, t(`who-begins-${each}`)])}
        pick={pick}
      />
      <p class="muted">{t("who-begins-text")}</p>
    </div>
  );
}

/** The chosen value, or the server's default; for one player, the solo variant. */
function picked(option: OptionFacts, chosen: Record<string, Json>, players: number): unknown {
  if (option.name in chosen) return chosen[option.name];
  return fits(option.default, players)
    ? option.default
    : option.values.find((value) => fits(value, players));
}

/** The description of the chosen value, or of the option. */
function about(game: string, option: string, value: unknown): string {
  const own = `option-${game}-${option}-value-${String(value)}`;
  return t(has(own) ? own : `option-${game}-${option}-text`);
}

/** Hides variants for other numbers of players; the server decides in the end. */
function fits(value: unknown, players: number): boolean {
  if (value === "solo") return players === 1;
  if (value === "standard") return players > 1;
  if (value === "teams") return players === 4;
  return value !== "duel" || players === 2;
}

function valueName(game: string, option: string, value: unknown): string {
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (value === null) return t("none");
  const own = `value-${game}-${option}-${String(value)}`;
  if (has(own)) return t(own);
  return typeof value === "number" && option === "seconds"
    ? t("seconds", { count: value })
    : String(value);
}

import { useState } from "preact/hooks";
import { Avatar, EmptySeat, LOOKS } from "../art/Avatar";
import { has, refusalText, sharedWords, speak, t } from "../i18n";
import { api } from "../live/api";
import { base, playsHere } from "../local/here";
import { type GameFacts, type Json, NAME_LENGTH, type NewTable } from "../protocol";
import { Failure } from "../ui/Failure";
import { Icon, type IconName } from "../ui/Icon";
import { IconButton } from "../ui/IconButton";
import { Sheet } from "../ui/Sheet";
import { useSmall } from "../ui/screen";
import { playerName } from "../ui/settings";
import { CLOCKS, clockName } from "./clocks";
import { createOnDevice, failure, myName } from "./create";
import { Fold } from "./Fold";
import { LevelPicker } from "./LevelPicker";
import { cards, levelName, usualLevel } from "./levels";
import { about, company, fits, listed, optionName, picked, valueName } from "./options";
import { go } from "./router";
import { Choice } from "./Settings";
import "./NewTable.css";

type Watching = NonNullable<NewTable["spectators"]>;
const WATCHING: Watching[] = ["live", "delayed", "none"];

type Where = "link" | "lobby" | "device";
const WHERE: Record<Where, IconName> = { link: "link", lobby: "people", device: "phone" };

interface FormProps {
  /** The game that is chosen first. */
  card: GameFacts;
  where?: Where;
  onClose(): void;
}

/** The form for a new table: by link, in the lobby, or on this device. On a desktop all of it is in
 * sight. */
export function NewTableSheet({ card: first, where: meet = "link", onClose }: FormProps) {
  const [card, setCard] = useState(first);
  const [players, setPlayers] = useState(Math.max(2, first.players[0]));
  const [where, setWhere] = useState<Where>(playsHere.value ? "device" : meet);
  const [clock, setClock] = useState("none");
  const [watching, setWatching] = useState<Watching>("live");
  const [options, setOptions] = useState<Record<string, Json>>({});
  const [names, setNames] = useState<string[]>([]);
  const [bots, setBots] = useState<Record<number, string>>({});
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const [, setReady] = useState(false);
  if (!has("rule-game-over")) void speak(sharedWords).then(() => setReady(true));
  const [fewest, most] = card.players;
  const alone = players === 1;
  const device = where === "device" && !alone;

  const choose = (name: string) => {
    const other = cards.value.find((each) => each.name === name);
    if (!other) return;
    const [least, largest] = other.players;
    setCard(other);
    setPlayers(Math.min(largest, Math.max(least, players)));
    setOptions({});
    setBots({});
  };

  const create = async () => {
    setBusy(true);
    setTrouble("");
    try {
      const table: Omit<NewTable, "name"> = {
        game: card.name,
        players,
        options: device && isTimed(card) ? { ...options, seconds: null } : options,
        clock: CLOCKS[clock] ?? { kind: "none" },
        public: where === "lobby" && !alone,
        spectators: device ? "live" : watching,
        bots: device ? [] : seatedBots(bots, players),
      };
      if (device) {
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

  const small = useSmall();
  const spectators = !device && (
    <Fold label={t("watching")} value={t(`watching-${watching}`)}>
      <Choice
        label={t("watching")}
        value={watching}
        options={WATCHING.map((each) => [each, t(`watching-${each}`)])}
        pick={(each) => setWatching(each as Watching)}
      />
    </Fold>
  );
  const counts = Array.from({ length: most - fewest + 1 }, (_, i) => String(i + fewest));
  const games = cards.value.length > 0 ? cards.value : [card];
  return (
    <Sheet title={t("new-table")} onClose={onClose} kind="wide">
      <form
        class="new-table"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <div class="new-table-part">
          <Games games={games} chosen={card.name} pick={choose} />
          <div class="new-table-pair">
            <Choice
              label={t("players")}
              value={String(players)}
              options={counts.map((each) => [each, each])}
              pick={(each) => {
                setPlayers(Number(each));
                setOptions({});
              }}
            />
            {!small && spectators}
          </div>
          {!alone && <Meeting where={where} timed={isTimed(card)} pick={setWhere} />}
          <Fold label={t("clock")} value={clockName(CLOCKS[clock] ?? { kind: "none" })}>
            <Choice
              label={t("clock")}
              value={clock}
              options={Object.entries(CLOCKS).map(([name, each]) => [name, clockName(each)])}
              pick={setClock}
            />
          </Fold>
          {small && spectators}
        </div>
        <div class="new-table-part">
          <Seats
            game={card.name}
            players={players}
            device={device}
            names={names}
            bots={bots}
            rename={setNames}
            seat={setBots}
          />
          <Options
            card={card}
            players={players}
            timed={!device}
            chosen={options}
            choose={setOptions}
          />
          <Failure words={trouble} />
          <button type="submit" class="button primary wide" disabled={busy}>
            {t("create-table")}
          </button>
        </div>
      </form>
    </Sheet>
  );
}

function seatedBots(bots: Record<number, string>, players: number): NewTable["bots"] {
  return Object.entries(bots)
    .map(([seat, level]) => ({ seat: Number(seat), level }))
    .filter(({ seat, level }) => seat < players && level !== "");
}

interface GamesProps {
  games: GameFacts[];
  chosen: string;
  pick(game: string): void;
}

/** The games, as pictures. */
function Games({ games, chosen, pick }: GamesProps) {
  return (
    <fieldset class="choice picture-choice">
      <legend class="hidden">{t("games")}</legend>
      {games.map(({ name }) => (
        <label key={name} class={name === chosen ? "on" : ""}>
          <input
            type="radio"
            name="game"
            value={`game-${name}`}
            checked={name === chosen}
            onChange={() => pick(name)}
          />
          <img src={`${base}pictures/${name}.svg`} alt="" width="160" height="100" />
          {t(`game-${name}`)}
        </label>
      ))}
    </fieldset>
  );
}

/** The ways to meet: without a server, on this device only. */
function places(): [string, IconName][] {
  return Object.entries(WHERE).filter(([each]) => each === "device" || !playsHere.value);
}

interface MeetingProps {
  where: Where;
  timed: boolean;
  pick(where: Where): void;
}

/** How the players meet. */
function Meeting({ where, timed, pick }: MeetingProps) {
  const small = useSmall();
  const text = (each: string) =>
    `${t(`where-${each}-text`)} ${each === "device" && timed ? t("where-device-untimed") : ""}`;
  return (
    <fieldset class="choice meeting-choice">
      <legend>{t("where")}</legend>
      {places().map(([each, icon]) => (
        <label key={each} class={each === where ? "on" : ""}>
          <input
            type="radio"
            name="where"
            value={each}
            checked={each === where}
            onChange={() => pick(each as Where)}
          />
          <Icon name={icon} />
          <span>
            <strong>{t(`where-${each}`)}</strong>
            {!small && <small>{text(each)}</small>}
          </span>
        </label>
      ))}
      {small && <p class="muted">{text(where)}</p>}
    </fieldset>
  );
}

interface SeatsProps {
  game: string;
  players: number;
  device: boolean;
  names: string[];
  bots: Record<number, string>;
  rename(names: string[]): void;
  seat(bots: Record<number, string>): void;
}

/** Who sits where: one's own name, bots, seats that stay open; on one device all names. */
function Seats({ game, players, device, names, bots, rename, seat }: SeatsProps) {
  const named = (index: number) => (device ? (names[index] ?? "") : playerName.value);
  const setName = (index: number, value: string) => {
    if (!device) playerName.value = value;
    else
      rename(Array.from({ length: players }, (_, i) => (i === index ? value : (names[i] ?? ""))));
  };
  const [nameless] = useState(!playerName.value);
  const taken = (seatedBots(bots, players) ?? []).length;
  const open = players - 1 - taken;
  const who = device
    ? Array.from({ length: players }, (_, index) => named(index) || nameOf(index)).join(", ")
    : [
        company([playerName.value.trim() || t("guest")], taken),
        ...(open > 0 ? [t("seats-open", { count: open })] : []),
      ].join(" · ");
  return (
    <Fold label={t("seats")} value={who} open={nameless && players > 1}>
      <section class="new-seats">
        <h3>{t("seats")}</h3>
        <ol>
          {Array.from({ length: players }, (_, index) => {
            const look = LOOKS[index] ?? 0;
            if (index === 0 || device) {
              const label = device ? t("name-of-player", { number: index + 1 }) : t("your-name");
              return (
                <li key={index}>
                  <Avatar look={look} name={named(index) || nameOf(index)} size={34} />
                  <input
                    aria-label={label}
                    maxLength={NAME_LENGTH}
                    placeholder={device ? nameOf(index) : t("guest")}
                    value={named(index)}
                    onInput={(event) => setName(index, event.currentTarget.value)}
                  />
                </li>
              );
            }
            const level = bots[index];
            const name = t("bot-number", { number: index + 1 });
            return (
              <li key={index}>
                {level ? (
                  <Avatar look={look} name={name} size={34} />
                ) : (
                  <EmptySeat look={look} size={34} />
                )}
                <p>
                  <strong>{level ? name : t("seat-open")}</strong>
                  {level && <small>{levelName(game, level)}</small>}
                </p>
                {level ? (
                  <>
                    <LevelPicker
                      game={game}
                      level={level}
                      label={t("level-of", { name })}
                      pick={(picked) => seat({ ...bots, [index]: picked })}
                    />
                    <IconButton
                      icon="close"
                      label={t("remove-player", { name })}
                      onClick={() => seat({ ...bots, [index]: "" })}
                    />
                  </>
                ) : (
                  <button
                    type="button"
                    class="button small"
                    disabled={!usualLevel(game)}
                    onClick={() => seat({ ...bots, [index]: usualLevel(game) })}
                  >
                    <Icon name="bot" size={20} /> {t("add-bot")}
                  </button>
                )}
              </li>
            );
          })}
        </ol>
      </section>
    </Fold>
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
  const options = listed(card, timed);
  if (options.length === 0) return null;
  return (
    <section class="new-options">
      <h3>{t("options")}</h3>
      {options.map((option) => (
        <Fold
          key={option.name}
          label={optionName(card.name, option.name)}
          value={valueName(card.name, option.name, picked(option, chosen, players))}
        >
          <div>
            <Choice
              label={optionName(card.name, option.name)}
              value={JSON.stringify(picked(option, chosen, players))}
              options={option.values
                .filter((value) => fits(value, players))
                .map((value) => [JSON.stringify(value), valueName(card.name, option.name, value)])}
              pick={(value) => choose({ ...chosen, [option.name]: JSON.parse(value) as Json })}
            />
            <p class="muted">{about(card.name, option.name, picked(option, chosen, players))}</p>
          </div>
        </Fold>
      ))}
      {card.name === "genial" && players > 1 && <First chosen={chosen} choose={choose} />}
    </section>
  );
}

const FIRST = "first";

/** Who begins: the first seat (the default), or a random one. */
function First({ chosen, choose }: Pick<OptionsProps, "chosen" | "choose">) {
  const pick = (value: string) => {
    const { [FIRST]: _, ...others } = chosen;
    choose(value === "lot" ? { ...others, [FIRST]: value } : others);
  };
  const first = FIRST in chosen ? "lot" : "seat";
  return (
    <Fold label={t("who-begins")} value={t(`who-begins-${first}`)}>
      <div>
        <Choice
          label={t("who-begins")}
          value={first}
          options={["seat", "lot"].map((each) => [each, t(`who-begins-${each}`)])}
          pick={pick}
        />
        <p class="muted">{t("who-begins-text")}</p>
      </div>
    </Fold>
  );
}

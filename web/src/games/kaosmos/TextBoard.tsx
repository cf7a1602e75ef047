import { t } from "../../i18n";
import type { PartProps } from "../types";
import type { Model } from "./model";
import { countWords } from "./say";
import { COLOURS, type Galaxy, type KaosmosView, MARKERS } from "./view";
import { tileWords } from "./words";

/** The whole table in words. */
export function TextBoard({ desk, model }: PartProps<KaosmosView, Model>) {
  const view = desk.view.value;
  const names = desk.names.value;
  const you = desk.you.value;
  const { supply, aside } = model.position.value;
  const packet = view.packet ?? [];
  return (
    <div class="kaosmos-text">
      <h2>{t("text-board")}</h2>
      <p>
        {t("kaosmos-round", { round: view.round })}.{" "}
        {view.card && `${t(`card-${view.card}-name`)}: ${t(`card-${view.card}-text`)}`}
      </p>
      {view.phase === "ready" && you !== null && (
        <p>{t("kaosmos-face-down", { count: view.supplies[you] ?? 0 })}</p>
      )}
      {packet.length > 0 && <TileList title={t("kaosmos-packet")} tiles={packet} />}
      {you !== null && supply.length > 0 && (
        <TileList title={t("kaosmos-tray")} tiles={supply} model={model} />
      )}
      {aside && <p>{t("kaosmos-aside-holds", { tile: tileWords(aside, 0) })}</p>}
      <h3>{t("kaosmos-markers")}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("kaosmos-player")}</th>
            {MARKERS.map((marker) => (
              <th key={marker} scope="col">
                {t(`colour-${marker}`)}
              </th>
            ))}
            <th scope="col">{t("kaosmos-total")}</th>
          </tr>
        </thead>
        <tbody>
          {view.markers.map((markers, seat) => (
            <tr key={seat}>
              <th scope="row">{desk.labels.value[seat]}</th>
              {MARKERS.map((marker) => (
                <td key={marker}>{markers[marker]}</td>
              ))}
              <td>{Math.min(...COLOURS.map((colour) => markers[colour])) + markers.star}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>{t("kaosmos-bonuses")}</h3>
      <ul>
        {COLOURS.map((colour) => {
          const holder = view.bonuses[colour];
          const words = { colour: t(`colour-${colour}`), name: names[holder ?? -1] ?? "" };
          return (
            <li key={colour}>
              {t(holder === null ? "kaosmos-bonus-free" : "kaosmos-bonus-taken", words)}
            </li>
          );
        })}
      </ul>
      {view.galaxies.map((galaxy, seat) => (
        <GalaxyWords
          key={seat}
          title={t("kaosmos-galaxy-of", { name: names[seat] ?? "" })}
          galaxy={seat === you ? model.position.value.galaxy : galaxy}
        />
      ))}
      {view.counted && (
        <>
          <h3>{t("kaosmos-live")}</h3>
          <ul>
            {view.counted.zones
              .filter((zone) => zone.planets > 0)
              .map((zone, index) => (
                <li key={index}>
                  {t("kaosmos-count-zone", {
                    colour: t(`colour-${zone.colour}`),
                    planets: zone.planets,
                  })}
                  : {zone.points}
                </li>
              ))}
            <li>
              {t("kaosmos-count-path", { length: view.counted.path.length })}:{" "}
              {view.counted.path.points}
            </li>
          </ul>
        </>
      )}
      {view.counts.length > 0 && (
        <>
          <h3>{t("kaosmos-recount")}</h3>
          <ul>
            {view.counts.map((count) => (
              <li key={count.seat}>{countWords(count, names[count.seat] ?? "")}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function TileList({ title, tiles, model }: { title: string; tiles: string[]; model?: Model }) {
  return (
    <>
      <h3>{title}</h3>
      <ol>
        {tiles.map((tile) => (
          <li key={tile}>{tileWords(tile, model?.turnsOf(tile) ?? 0)}</li>
        ))}
      </ol>
    </>
  );
}

function GalaxyWords({ title, galaxy }: { title: string; galaxy: Galaxy }) {
  const slots = Object.keys(galaxy).sort(
    (a, b) => a.charCodeAt(1) - b.charCodeAt(1) || a.charCodeAt(0) - b.charCodeAt(0),
  );
  return (
    <>
      <h3>{title}</h3>
      {slots.length === 0 ? (
        <p>{t("kaosmos-empty")}</p>
      ) : (
        <ul>
          {slots.map((slot) => (
            <li key={slot}>
              {slot}: {tileWords(...(galaxy[slot] ?? ["", 0]))}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

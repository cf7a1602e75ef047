import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { TextList, TextTable } from "../common/TextTable";
import type { PartProps } from "../types";
import type { Model } from "./model";
import { countWords } from "./say";
import { COLOURS, type Galaxy, MARKERS } from "./view";
import { tileWords } from "./words";

/** The whole table as text. */
export function TextBoard({ desk, model }: PartProps<KaosmosView, Model>) {
  const view = desk.view.value;
  const names = desk.names.value;
  const you = desk.you.value;
  const { supply, aside } = model.position.value;
  const packet = view.packet ?? [];
  return (
    <>
      <h2>{t("text-board")}</h2>
      <p>
        {t("kaosmos-round", { round: view.round })}.{" "}
        {view.card && `${t(`card-${view.card}-name`)}: ${t(`card-${view.card}-text`)}`}
      </p>
      {view.phase === "ready" && you !== null && (
        <p>{t("kaosmos-face-down", { count: view.supplies[you] ?? 0 })}</p>
      )}
      <TextList title={t("kaosmos-packet")} items={packet.map((tile) => tileWords(tile, 0))} />
      <TextList
        title={t("kaosmos-tray")}
        items={(you === null ? [] : supply).map((tile) => tileWords(tile, model.turnsOf(tile)))}
      />
      {aside && <p>{t("kaosmos-aside-holds", { tile: tileWords(aside, 0) })}</p>}
      <h3>{t("kaosmos-markers")}</h3>
      <TextTable
        head={[t("player"), ...MARKERS.map((marker) => t(`colour-${marker}`)), t("kaosmos-total")]}
        rows={view.markers.map((markers, seat) => [
          desk.labels.value[seat],
          ...MARKERS.map((marker) => markers[marker]),
          Math.min(...COLOURS.map((colour) => markers[colour])) + markers.star,
        ])}
      />
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
                  {t(`colour-${zone.colour}`)}, {t("kaosmos-count-zone", { planets: zone.planets })}
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

import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { TileButton } from "../common/Hand";
import type { PartProps } from "../types";
import type { Model } from "./model";
import { Back, Sign, TileImage } from "./Tile";
import { TILES } from "./tiles";
import { COLOURS, type Colour, nextTo, type TileId } from "./view";
import { tileWords } from "./words";
import "./Draft.css";

type Props = PartProps<KaosmosView, Model>;

/** The packet to choose from, on the mat. */
export function Packet({ desk, model }: Props) {
  const view = desk.view.value;
  const names = desk.names.value;
  const packet = view.packet ?? [];
  if (packet.length === 0) {
    const waiting = view.waiting.map((seat) => names[seat] ?? "");
    return (
      <div class="kaosmos-waiting">
        <div class="kaosmos-backs">
          <Backs count={view.kept[desk.you.value ?? 0] ?? 0} />
        </div>
        <p>{t("kaosmos-waiting", { names: waiting.join(", ") })}</p>
      </div>
    );
  }
  return (
    <div class={`kaosmos-packet of-${packet.length}`} role="group" aria-label={t("kaosmos-packet")}>
      <div class="kaosmos-packet-tiles">
        {packet.map((tile, index) => (
          <Pick key={tile} tile={tile} index={index} desk={desk} model={model} />
        ))}
      </div>
    </div>
  );
}

function Backs({ count }: { count: number }) {
  return (
    <>
      {Array.from({ length: count }, (_, index) => (
        <Back key={index} />
      ))}
    </>
  );
}

function Pick({ tile, index, desk, model }: Props & { tile: TileId; index: number }) {
  const on = model.choices.picked.value.includes(tile);
  // The ranks of the suggested choices that have this tile.
  const advised = desk.hints.value.flatMap(({ move }, rank) =>
    move.split(" ").includes(tile) ? [rank + 1] : [],
  );
  return (
    <TileButton
      class="kaosmos-pick"
      index={index}
      name={tileWords(tile, 0)}
      on={on}
      open={desk.may.value}
      press={{ onClick: () => model.pick(tile) }}
    >
      <TileImage tile={tile} />
      {advised.length > 0 && <span class="kaosmos-advice">{advised.join(" ")}</span>}
      {on && (
        <svg class="kaosmos-tick" viewBox="0 0 24 24" aria-hidden="true">
          <circle cx="12" cy="12" r="11" />
          <path d="M6.500 12.500 10.500 16.500 17.500 8" />
        </svg>
      )}
    </TileButton>
  );
}

/** What is kept and passed on, and the button for it; before, the card of the round is seen. */
export function Draft({ desk, model }: Props) {
  const view = desk.view.value;
  const you = desk.you.value ?? 0;
  const packet = view.packet?.length ?? 0;
  const picked = model.choices.picked.value;
  const name = desk.names.value[nextTo(view, you)] ?? "";
  const kept = view.kept[you] ?? 0;
  return (
    <div class={`hand kaosmos-drafting${desk.may.value ? " open" : ""}`}>
      <p class="kaosmos-title">{t("kaosmos-draft")}</p>
      <Steps packet={packet || (kept === 3 ? 6 : 3)} />
      <div class="kaosmos-draft">
        <div class="kaosmos-backs" role="img" aria-label={t("kaosmos-kept", { count: kept })}>
          <Backs count={kept} />
        </div>
        <p>
          {packet > 0
            ? t("kaosmos-keep-help", { count: packet - 3, name })
            : t("kaosmos-kept", { count: kept })}
          {kept > 0 && packet > 0 && <small>{t("kaosmos-kept", { count: kept })}</small>}
        </p>
      </div>
      <Carried picked={picked} />
      {model.revealed.value ? (
        <button
          type="button"
          class="button primary wide kaosmos-seen"
          onClick={() => model.moments.seenCard()}
        >
          {t("kaosmos-card-seen")}
        </button>
      ) : (
        <button
          type="button"
          class="button primary wide"
          disabled={!desk.may.value || picked.length !== 3}
          onClick={() => model.choices.keep()}
        >
          {picked.length === 3 || packet === 0
            ? t("kaosmos-keep", { name })
            : t("kaosmos-keep-more", { count: 3 - picked.length })}
        </button>
      )}
    </div>
  );
}

/** Nine, six, three. */
function Steps({ packet }: { packet: number }) {
  return (
    <ol class="kaosmos-steps">
      {[9, 6, 3].map((size) => (
        <li key={size} class={size === packet ? "now" : ""} aria-current={size === packet}>
          <b>{size}</b>
          <small>{t(size === 3 ? "kaosmos-step-unseen" : "kaosmos-step-keep")}</small>
        </li>
      ))}
    </ol>
  );
}

const LETTERS: Record<Colour, string> = { green: "G", blue: "B", orange: "O" };

/** The chosen tiles of the packet, and what they bring: planets of each colour, and arms. */
function Carried({ picked }: { picked: readonly TileId[] }) {
  const faces = picked.flatMap((tile) => TILES[tile] ?? []);
  const planets = (colour: Colour) =>
    faces
      .flatMap(({ cells }) => cells)
      .filter((cell) => cell.startsWith(LETTERS[colour]))
      .reduce((sum, cell) => sum + Number(cell.charAt(1)), 0);
  return (
    <div class="kaosmos-carried">
      <p class="kaosmos-title">
        {t("kaosmos-you-keep")} <small>{picked.length}/3</small>
      </p>
      <div class="kaosmos-picked">
        {[0, 1, 2].map((index) => (
          <span key={index}>{picked[index] && <TileImage tile={picked[index]} />}</span>
        ))}
      </div>
      <ul class="kaosmos-carried-rows">
        {COLOURS.map((colour) => (
          <li key={colour}>
            <Sign marker={colour} size={26} />
            <span>{t("kaosmos-planets", { kind: colour })}</span>
            <b>{planets(colour)}</b>
          </li>
        ))}
        <li>
          <Sign marker="star" size={26} />
          <span>{t("kaosmos-arms")}</span>
          <b>{faces.reduce((sum, { arms }) => sum + arms.length, 0)}</b>
        </li>
      </ul>
    </div>
  );
}

import { t } from "../../i18n";
import type { Seat } from "../../live/wire";
import type { PartProps } from "../types";
import type { Model } from "./model";
import { SmallColour, SmallTile } from "./Sign";
import { type BlockersView, coloursOf, countByColour, pointsOf, type Tile } from "./view";
import { colourWords, tileList } from "./words";

type Props = PartProps<BlockersView, Model>;

export function Scores({ desk, model }: Props) {
  const view = desk.view.value;
  const seats = view.options.colours.map((_, seat) => seat);
  return (
    <div class="blockers-scores">
      <ol class={`blockers-players of-${seats.length}`}>
        {seats.map((seat) => (
          <Player key={seat} seat={seat} desk={desk} model={model} />
        ))}
      </ol>
      <Shown label={t("blockers-discards")} tiles={view.discards} />
      {seats
        .filter((seat) => seat !== desk.you.value)
        .map((seat) => (
          <Shown
            key={seat}
            label={t("blockers-seen", { name: desk.names.value[seat] ?? "" })}
            tiles={view.shown[seat] ?? []}
          />
        ))}
    </div>
  );
}

/** Tiles that everybody has seen. */
function Shown({ label, tiles }: { label: string; tiles: Tile[] }) {
  if (tiles.length === 0) return null;
  return (
    <p class="blockers-shown">
      {label} <span class="hidden">{tileList(tiles)}</span>
      {tiles.map((tile) => (
        <SmallTile key={tile} tile={tile} />
      ))}
    </p>
  );
}

function Player({ seat, desk, model }: Props & { seat: Seat }) {
  const view = desk.view.value;
  const acting = view.actors.includes(seat);
  const groups = view.groups[seat] ?? 0;
  const ghost = model.ghost.value;
  const then = model.preview.value?.[seat] ?? groups;
  const captured = view.captures[seat] ?? [];
  const taken = ghost?.taken && seat === desk.you.value ? ghost.taken : null;
  const soon = taken ? [...captured, taken] : captured;
  const points = pointsOf(view, groups, captured);
  const after = pointsOf(view, then, soon);
  return (
    <li class={`blockers-player${acting ? " acting" : ""}`}>
      <h3>
        <span class="blockers-own">
          {coloursOf(view, seat).map((colour) => (
            <SmallColour key={colour} colour={colour} />
          ))}
        </span>
        <span class="blockers-name">{desk.labels.value[seat]}</span>
        {acting && <em>{t("blockers-plays")}</em>}
        <b class="blockers-points">
          <span class="hidden">{t("blockers-points")} </span>
          <span class={after === points ? "" : "blockers-was"}>{points}</span>
          {after !== points && <i class={after < points ? "good" : "bad"}>→{after}</i>}
        </b>
      </h3>
      <ul class="blockers-facts">
        <li>
          <GroupIcon />
          <span>
            <b>{groups}</b>
            {then !== groups && <i class={then < groups ? "good" : "bad"}>→{then}</i>}{" "}
            <span class="blockers-word">{t("blockers-groups", { count: groups })}</span>
          </span>
        </li>
        <Captures view={view} tiles={soon} />
        <li class="blockers-piles">
          <PileIcon />
          {coloursOf(view, seat).map((colour, index, all) => (
            <span key={colour}>
              {all.length > 1 && <span class="hidden">{colourWords(colour)} </span>}
              {index > 0 && <span aria-hidden="true">+ </span>}
              <b>{view.piles[colour] ?? 0}</b>
            </span>
          ))}{" "}
          <span class="blockers-word">{t("blockers-in-pile")}</span>
        </li>
      </ul>
    </li>
  );
}

/** The captured tiles by colour; the colour captured most is the one that counts. */
function Captures({ view, tiles }: { view: BlockersView; tiles: Tile[] }) {
  const counts = countByColour(tiles);
  const most = Math.max(0, ...counts.map(([, count]) => count));
  const counted =
    view.options.scoring === "uptown" ? null : counts.find(([, count]) => count === most)?.[0];
  return (
    <li class="blockers-captures">
      <TakenIcon />
      {counts.length === 0 && <b>0</b>}
      {counts.map(([colour, count]) => (
        <span key={colour} class={colour === counted ? "counted" : ""}>
          <SmallColour colour={colour} size={1.1} />
          <span class="hidden">{colourWords(colour)} </span>
          <b>{count}</b>
          {colour === counted && <span class="hidden"> ({t("blockers-counts")})</span>}
        </span>
      ))}{" "}
      <span class="blockers-word">{t("blockers-captured", { count: tiles.length })}</span>
    </li>
  );
}

function GroupIcon() {
  return (
    <svg class="blockers-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 6.500h6v-4h5.500v9h-5.500v2h-6z" />
    </svg>
  );
}

function TakenIcon() {
  return (
    <svg class="blockers-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4M6 6l4 4M10 6l-4 4" />
    </svg>
  );
}

function PileIcon() {
  return (
    <svg class="blockers-icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M3 5.500 8 3l5 2.500L8 8zM3 8l5 2.500L13 8M3 10.500 8 13l5-2.500" />
    </svg>
  );
}

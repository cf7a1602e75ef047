import { outline } from "../../art/shapes";
import { t } from "../../i18n";
import type { Seat } from "../../live/seat";
import type { BlockersView } from "../../protocol";
import { PersonHead, ScoreCard, ScoreCards } from "../common/Scores";
import type { PartProps } from "../types";
import type { Model } from "./model";
import { LOOK, SmallTile } from "./Sign";
import { type Colour, coloursOf, countByColour, pointsOf, type Tile } from "./view";
import { colourWords, tileList } from "./words";
import "./Scores.css";

type Props = PartProps<BlockersView, Model>;

export function Scores({ desk, model }: Props) {
  const view = desk.view.value;
  const seats = view.options.colours.map((_, seat) => seat);
  return (
    <>
      <ScoreCards count={seats.length}>
        {seats.map((seat) => (
          <Player key={seat} seat={seat} desk={desk} model={model} />
        ))}
      </ScoreCards>
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
    </>
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
  const groups = view.groups[seat] ?? 0;
  const ghost = model.ghost.value;
  const then = model.preview.value?.[seat] ?? groups;
  const captured = view.captures[seat] ?? [];
  const taken = ghost?.taken && seat === desk.you.value ? ghost.taken : null;
  const soon = taken ? [...captured, taken] : captured;
  const points = pointsOf(view, groups, captured);
  const after = pointsOf(view, then, soon);
  const colours = coloursOf(view, seat);
  const level = desk.people.value[seat]?.note;
  return (
    <ScoreCard acting={view.actors.includes(seat)} you={seat === desk.you.value}>
      <PersonHead
        desk={desk}
        seats={[seat]}
        look={LOOK[colours[0] ?? "b"]}
        note={
          <>
            {level && <span class="blockers-level">{level}</span>}
            <InPile view={view} colours={colours} />
          </>
        }
      >
        <b class="blockers-points">
          <span class="hidden">{t("blockers-points")} </span>
          {points}
          {after !== points && <i class={after < points ? "good" : "bad"}>→{after}</i>}
        </b>
      </PersonHead>
      <div class="blockers-facts">
        <span class="blockers-groups">
          {colours.map((colour) => (
            <GroupSign key={colour} colour={colour} />
          ))}
          <b>{groups}</b>
          {then !== groups && <i class={then < groups ? "good" : "bad"}>→{then}</i>}
          <span class="blockers-word">{t("blockers-groups", { count: groups })}</span>
        </span>
        <Captures view={view} tiles={soon} />
      </div>
    </ScoreCard>
  );
}

function InPile({ view, colours }: { view: BlockersView; colours: Colour[] }) {
  return (
    <>
      {colours.map((colour, index) => (
        <span key={colour}>
          {colours.length > 1 && <span class="hidden">{colourWords(colour)} </span>}
          {index > 0 && <span aria-hidden="true"> + </span>}
          {view.piles[colour] ?? 0}
        </span>
      ))}{" "}
      {t("blockers-in-pile")}
    </>
  );
}

const GROUP = outline(
  [
    [0, 0],
    [0, 1],
    [1, 1],
  ],
  { at: (row, column) => [column * 10 + 2, row * 10], size: 10, inset: () => 0.5, radius: 2.4 },
);

/** Three tiles that are one group. */
function GroupSign({ colour }: { colour: Colour }) {
  return (
    <svg class={`blockers-group blockers-${colour}`} viewBox="0 0 24 21" aria-hidden="true">
      <path d={GROUP} />
    </svg>
  );
}

/** How many tiles of a colour are drawn at most; the number says how many there are. */
const DRAWN = 3;

/** The captured tiles, fanned by colour; the colour captured most is the one that counts. */
function Captures({ view, tiles }: { view: BlockersView; tiles: Tile[] }) {
  const counts = countByColour(tiles);
  const most = Math.max(0, ...counts.map(([, count]) => count));
  const counted =
    view.options.scoring === "uptown" ? null : counts.find(([, count]) => count === most)?.[0];
  if (counts.length === 0) {
    return <span class="blockers-captures none">{t("blockers-no-captures")}</span>;
  }
  return (
    <span class="blockers-captures">
      <span class="hidden">{t("blockers-captured", { count: tiles.length })} </span>
      {counts.map(([colour, count]) => (
        <span key={colour} class={colour === counted ? "blockers-fan counts" : "blockers-fan"}>
          {tiles
            .filter((tile) => tile.startsWith(colour))
            .slice(-DRAWN)
            .map((tile) => (
              <SmallTile key={tile} tile={tile} size={1.6} />
            ))}
          <span class="hidden">{colourWords(colour)} </span>
          <b>{count}</b>
          {colour === counted && <span class="hidden"> ({t("blockers-counts")})</span>}
        </span>
      ))}
    </span>
  );
}

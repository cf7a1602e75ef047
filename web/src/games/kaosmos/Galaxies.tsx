import { Avatar, LOOKS } from "../../art/Avatar";
import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import type { PartProps } from "../types";
import { layout, shapeOfGalaxy, TILE, windowOf } from "./frame";
import type { Model } from "./model";
import { Turned } from "./Tile";
import "./Galaxies.css";

type Props = PartProps<KaosmosView, Model>;

/** Everybody's galaxy, side by side; a tap enlarges one. */
export function Galaxies({ desk, model }: Props) {
  const { galaxies } = desk.view.value;
  return (
    <ul class={`kaosmos-galaxies of-${galaxies.length}`}>
      {galaxies.map((_, seat) => (
        <li key={seat} class={desk.focus?.value === seat ? "now" : ""}>
          <Whole seat={seat} desk={desk} model={model} />
        </li>
      ))}
    </ul>
  );
}

function Whole({ seat, desk, model }: Props & { seat: number }) {
  const view = desk.view.value;
  const counted = model.count.now.value ? view.counts[seat]?.galaxy : undefined;
  const galaxy = counted ?? view.galaxies[seat] ?? {};
  const slots = Object.keys(galaxy);
  const shape = counted ? shapeOfGalaxy(counted) : model.shape.value;
  const free = shape === "free";
  const all = layout(
    free && slots.length === 0 ? "square" : shape,
    free && slots.length > 0 ? windowOf(slots) : null,
  );
  const name = desk.labels.value[seat] ?? "";
  return (
    <button
      type="button"
      aria-label={t("kaosmos-look", { name: desk.names.value[seat] ?? "" })}
      onClick={() => {
        if (counted) model.count.show(seat);
        else model.shown.value = seat;
      }}
    >
      <span>
        <Avatar look={LOOKS[seat] ?? 0} size={18} /> {name}
      </span>
      <svg viewBox={`-2 -2 ${all.width + 4} ${all.height + 4}`} aria-hidden="true">
        {all.places.map((place, index) => {
          const laid = galaxy[place.slot];
          return (
            <g key={index} transform={`translate(${place.x} ${place.y})`}>
              {laid ? (
                <Turned tile={laid[0]} turns={laid[1]} />
              ) : (
                !counted && (
                  <rect
                    class="kaosmos-slot"
                    x={0.8 - TILE / 2}
                    y={0.8 - TILE / 2}
                    width={TILE - 1.6}
                    height={TILE - 1.6}
                    rx="3.2"
                  />
                )
              )}
            </g>
          );
        })}
      </svg>
    </button>
  );
}

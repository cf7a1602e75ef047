import { Avatar, LOOKS } from "../../art/Avatar";
import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { useNarrow } from "../../ui/screen";
import type { PartProps } from "../types";
import { layout, TILE, windowOf } from "./frame";
import type { Model } from "./model";
import { Turned } from "./Tile";
import "./Galaxies.css";

/** Everybody's galaxy, side by side; a tap enlarges one. */
export function Galaxies({ desk, model }: PartProps<KaosmosView, Model>) {
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

function Whole({ seat, desk, model }: PartProps<KaosmosView, Model> & { seat: number }) {
  const galaxy = desk.view.value.galaxies[seat] ?? {};
  const slots = Object.keys(galaxy);
  const free = model.shape.value === "free";
  const narrow = useNarrow();
  const all = layout(
    free && slots.length === 0 ? "square" : model.shape.value,
    narrow,
    free && slots.length > 0 ? windowOf(slots) : null,
  );
  const name = desk.names.value[seat] ?? "";
  return (
    <button
      type="button"
      aria-label={t("kaosmos-look", { name })}
      onClick={() => {
        model.shown.value = seat;
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
                <rect
                  class="kaosmos-slot"
                  x={0.8 - TILE / 2}
                  y={0.8 - TILE / 2}
                  width={TILE - 1.6}
                  height={TILE - 1.6}
                  rx="3.2"
                />
              )}
            </g>
          );
        })}
      </svg>
    </button>
  );
}

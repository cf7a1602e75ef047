import { t } from "../../i18n";
import type { KaosmosView } from "../../protocol";
import { Icon } from "../../ui/Icon";
import type { PartProps } from "../types";
import type { Model } from "./model";
import { Sign } from "./Tile";
import { COLOURS, nextTo } from "./view";

type Props = PartProps<KaosmosView, Model>;

/** Which tile of the next player will turn. */
export function Interference({ desk, model }: Props) {
  const view = desk.view.value;
  const you = desk.you.value ?? 0;
  const name = desk.names.value[nextTo(view, you)] ?? "";
  const mine = view.actors.includes(you);
  return (
    <div class={`hand${desk.may.value ? " open" : ""}`}>
      <p>{mine ? t("kaosmos-interfere-help", { name }) : t("kaosmos-chosen-waiting")}</p>
      {mine && (
        <button
          type="button"
          class="button primary wide"
          disabled={!desk.may.value || model.choices.target.value === null}
          onClick={() => model.choices.interfere()}
        >
          <Icon name="turn" size={20} />{" "}
          {model.choices.target.value
            ? t("kaosmos-interfere", { slot: model.choices.target.value })
            : t("kaosmos-interfere-none")}
        </button>
      )}
    </div>
  );
}

/** From which colour to which, and how many points. */
export function TransferPanel({ desk, model }: Props) {
  const view = desk.view.value;
  const you = desk.you.value ?? 0;
  const wanted = model.choices.transfer.value;
  if (!view.actors.includes(you)) {
    return (
      <div class="hand">
        <p>{t("kaosmos-chosen-waiting")}</p>
      </div>
    );
  }
  const pairs = COLOURS.flatMap((source) =>
    COLOURS.filter((target) => model.choices.most(source, target) > 0).map((target) => ({
      source,
      target,
    })),
  );
  return (
    <div class="hand open">
      <p>{t("kaosmos-transfer-help")}</p>
      <div class="kaosmos-pairs" role="group" aria-label={t("kaosmos-transfer-which")}>
        {pairs.map(({ source, target }) => {
          const on = wanted?.source === source && wanted.target === target;
          return (
            <button
              key={source + target}
              type="button"
              class={on ? "toggle kaosmos-pair on" : "toggle kaosmos-pair"}
              aria-pressed={on}
              aria-label={t("kaosmos-transfer-pair", {
                source: t(`colour-${source}`),
                target: t(`colour-${target}`),
              })}
              onClick={() => {
                const most = model.choices.most(source, target);
                model.choices.transfer.value = on ? null : { source, target, points: most };
              }}
            >
              <Sign marker={source} size={24} />
              <Icon name="next" size={16} />
              <Sign marker={target} size={24} />
            </button>
          );
        })}
      </div>
      {wanted && (
        <div class="kaosmos-amounts" role="group" aria-label={t("kaosmos-transfer-points")}>
          {Array.from({ length: model.choices.most(wanted.source, wanted.target) }, (_, index) => (
            <button
              key={index}
              type="button"
              class={wanted.points === index + 1 ? "button small on" : "button small"}
              aria-pressed={wanted.points === index + 1}
              onClick={() => {
                model.choices.transfer.value = { ...wanted, points: index + 1 };
              }}
            >
              {index + 1}
            </button>
          ))}
        </div>
      )}
      <button
        type="button"
        class={wanted ? "button primary wide" : "button wide"}
        disabled={!desk.may.value}
        onClick={() => model.choices.shift()}
      >
        {wanted
          ? t("kaosmos-transfer", {
              points: wanted.points,
              source: t(`colour-${wanted.source}`),
              target: t(`colour-${wanted.target}`),
            })
          : t("kaosmos-transfer-none")}
      </button>
    </div>
  );
}

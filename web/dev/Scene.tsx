import { computed, signal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import { stillDesk } from "../src/app/desk";
import { GameLine } from "../src/app/History";
import { Play } from "../src/app/Play";
import { loadGame } from "../src/games";
import type { GameModule } from "../src/games/types";
import { sharedWords, speak } from "../src/i18n";
import type { GameEvent, PlayView } from "../src/protocol";

interface Fixture {
  scenes: { name: string; view: PlayView; events: GameEvent[] }[];
  game: GameEvent[];
}

const NAMES = ["Léa", "Marc", "Inès", "Tom", "Zoé", "Ali"];

/** Development only: a board with a fixture, without a server. */
export function Scene({ game }: { game: string }) {
  const [loaded, setLoaded] = useState<{ module: GameModule; fixture: Fixture }>();
  useEffect(() => {
    void (async () => {
      const module = await loadGame(game);
      await speak(sharedWords, module.words);
      const fixture = (await import(`../fixtures/${game}.json`)).default as Fixture;
      setLoaded({ module, fixture });
    })();
  }, [game]);
  if (!loaded) return null;
  return <Shown {...loaded} />;
}

function Shown({ module, fixture }: { module: GameModule; fixture: Fixture }) {
  const wanted = new URLSearchParams(location.search).get("scene");
  const first = Math.max(
    0,
    fixture.scenes.findIndex((each) => each.name === wanted),
  );
  const at = useMemo(() => signal(first), [first]);
  const desk = useMemo(() => {
    const scene = computed(() => fixture.scenes[at.value]!);
    return stillDesk(
      module,
      {
        view: computed(() => scene.value.view),
        fresh: computed(() => scene.value.events),
        names: signal(NAMES),
      },
      (text) => console.log("move", text),
    );
  }, [module, fixture, at]);
  const lines = fixture.scenes[at.value]!.events.filter((e) => module.say(e, NAMES, 0) !== null);
  return (
    <Play
      game={module}
      desk={desk}
      top={
        <header class="table-top">
          <h1 class="table-title">{module.name}</h1>
          <select
            aria-label="scene"
            value={at.value}
            onChange={(event) => {
              at.value = Number(event.currentTarget.value);
            }}
          >
            {fixture.scenes.map((each, i) => (
              <option key={each.name} value={i}>
                {each.name}
              </option>
            ))}
          </select>
          <span class="hidden">
            {lines.map((event, i) => (
              <GameLine key={i} event={event} game={module} names={NAMES} you={0} />
            ))}
          </span>
        </header>
      }
    />
  );
}

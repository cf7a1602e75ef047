import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import { EngineBar, NeedsServer } from "../local/Anywhere";
import { isStatic } from "../local/here";
import { LiveRegion } from "../ui/LiveRegion";
import { Home } from "./Home";
import { link, type Route, route } from "./router";
import { Top } from "./Top";

export function App() {
  return (
    <>
      <Page at={route.value} />
      <EngineBar />
      <LiveRegion />
    </>
  );
}

function Page({ at }: { at: Route }) {
  if (isStatic && (at.page === "lobby" || at.page === "account")) return <Lost />;
  switch (at.page) {
    case "home":
      return <Home />;
    case "table":
      return <Lazy key={at.slug} load={tablePage} props={{ slug: at.slug }} />;
    case "lobby":
      return <Lazy load={lobbyPage} props={{}} />;
    case "games":
      return <Lazy load={gamesPage} props={{}} />;
    case "account":
      return <Lazy load={accountPage} props={{ back: at.back }} />;
    case "learn":
      return <Lazy key={at.game} load={learnPage} props={{ game: at.game }} />;
    case "rules":
      return <Lazy key={at.game} load={rulesPage} props={{ game: at.game }} />;
    case "replay":
      return (
        <Lazy
          key={at.slug ?? ""}
          load={replayPage}
          props={{ slug: at.slug, at: at.at, seat: at.seat ?? null }}
        />
      );
    case "scene":
      return <Lazy key={at.game} load={scenePage} props={{ game: at.game }} />;
    default:
      return <Lost />;
  }
}

type Loader<P> = () => Promise<ComponentType<P>>;

const tablePage: Loader<{ slug: string }> = async () => (await import("./TablePage")).TablePage;
const lobbyPage: Loader<object> = async () => (await import("./Lobby")).Lobby;
const gamesPage: Loader<object> = async () => (await import("./MyGames")).MyGames;
const accountPage: Loader<{ back: string | null }> = async () =>
  (await import("./Account")).AccountPage;
const learnPage: Loader<{ game: string }> = async () => (await import("./Learn")).Learn;
const rulesPage: Loader<{ game: string }> = async () => (await import("./Rules")).Rules;
const replayPage: Loader<{
  slug: string | null;
  at: number | null;
  seat: number | null;
}> = async () => (await import("./Replay")).ReplayPage;
const scenePage: Loader<{ game: string }> = async () => {
  if (import.meta.env.DEV) return (await import("../../dev/Scene")).Scene;
  return Lost;
};

/** A page whose code is loaded on demand. */
function Lazy<P extends object>({ load, props }: { load: Loader<P>; props: P }) {
  const [page, setPage] = useState<{ view: ComponentType<P> }>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    load().then(
      (view) => setPage({ view }),
      () => setFailed(true),
    );
  }, [load]);
  if (failed) return <Away />;
  if (!page) return <main class="page" aria-busy="true" />;
  const View = page.view;
  return <View {...props} />;
}

/** Shown if a page cannot be loaded because the network is down. */
function Away() {
  return (
    <>
      <Top />
      <main class="page narrow">
        <h1>{t("offline-title")}</h1>
        <p>{t("offline-text")}</p>
        <button type="button" class="button primary" onClick={() => location.reload()}>
          {t("try-again")}
        </button>
      </main>
    </>
  );
}

function Lost() {
  return (
    <>
      <Top />
      <main class="page narrow">
        <h1>{t("lost-title")}</h1>
        {isStatic ? <NeedsServer /> : <p>{t("lost-text")}</p>}
        <a class="button" {...link("/")}>
          {t("back-home")}
        </a>
      </main>
    </>
  );
}

import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import { isStatic, loaded, playsHere, serverAway } from "./here";
import { isKept, isOffered, keepEngine, warmUp } from "./page";
import "./Anywhere.css";

/** The engine is being loaded: how far it is. */
export function EngineBar() {
  const share = loaded.value;
  if (share === null) return null;
  return (
    <div class="engine-bar" role="status">
      <label>
        {t("engine-loading")} <progress value={share} max={1} />
      </label>
    </div>
  );
}

/** One quiet line: the server is away, and one can play here; or one does. */
export function HereLine() {
  const [offered, setOffered] = useState(false);
  const away = serverAway.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when the server goes away
  useEffect(() => {
    if (away) void isOffered().then(setOffered);
  }, [away]);
  if (isStatic || (!away && !playsHere.value)) return null;
  const choose = (here: boolean) => {
    playsHere.value = here;
    if (here) warmUp();
    if (!here) location.reload();
  };
  if (playsHere.value) {
    return (
      <p class="here-line" role="status">
        {t("here-playing")}{" "}
        <button type="button" class="text-button" onClick={() => choose(false)}>
          {t("here-back")}
        </button>
      </p>
    );
  }
  return (
    <p class="here-line" role="status">
      {t("here-away")}{" "}
      {offered && (
        <button type="button" class="text-button" onClick={() => choose(true)}>
          {t("here-play")}
        </button>
      )}
    </p>
  );
}

type Keeping = "unknown" | "never" | "not" | "keeping" | "kept" | "failed";

/** In the settings: keep what it takes to play without a network. */
export function KeepOffline() {
  const [state, setState] = useState<Keeping>("unknown");
  const [share, setShare] = useState(0);
  useEffect(() => {
    void Promise.all([isOffered(), isKept()]).then(([offered, kept]) =>
      setState(kept ? "kept" : offered ? "not" : "never"),
    );
  }, []);
  const keep = async () => {
    setState("keeping");
    const done = await keepEngine(setShare).catch(() => false);
    setState(done ? "kept" : "failed");
  };
  if (state === "unknown" || state === "never") return null;
  return (
    <div class="keep-offline">
      <p>{t(state === "kept" ? "offline-kept" : "offline-keep-text")}</p>
      {state === "keeping" && <progress value={share} max={1} aria-label={t("engine-loading")} />}
      {state === "failed" && <p role="alert">{t("rule-engine-away")}</p>}
      {(state === "not" || state === "failed") && (
        <button type="button" class="button" onClick={() => void keep()}>
          {t("offline-keep")}
        </button>
      )}
    </div>
  );
}

/** On a static site: what needs a server. */
export function NeedsServer() {
  return <p class="muted">{t("needs-server")}</p>;
}

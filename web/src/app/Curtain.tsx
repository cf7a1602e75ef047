import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { refusalText, t } from "../i18n";
import { api } from "../live/api";
import { failure } from "./create";
import type { Held } from "./device";
import { link } from "./router";
import "./Curtain.css";

interface CurtainProps {
  name: string;
  held: Held;
  onOpen(): void;
}

/** The hand-over screen of a shared device: it hides the table until the next player confirms. */
export function Curtain({ name, held, onOpen }: CurtainProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [trouble, setTrouble] = useState("");
  // Focus before the first paint, so that Enter works as soon as it is visible.
  useLayoutEffect(() => {
    document.title = `● ${t("turn-of", { names: name, count: 1 })} · Tuilerie`;
    button.current?.focus();
  }, [name]);
  const open = () =>
    api.recover(held.recovery).then(onOpen, (error) => setTrouble(refusalText(failure(error))));
  return (
    <main class="curtain">
      <div>
        <p>{t("curtain-pass")}</p>
        <h1>{name}</h1>
        {trouble && <p role="alert">{trouble}</p>}
        <button ref={button} type="button" class="button primary" onClick={() => void open()}>
          {t("curtain-open", { name })}
        </button>
        <a {...link("/")}>{t("back-home")}</a>
      </div>
    </main>
  );
}

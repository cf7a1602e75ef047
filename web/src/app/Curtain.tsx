import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { refusalText, t } from "../i18n";
import { api } from "../live/api";
import { failure } from "./create";
import type { Held } from "./device";

interface CurtainProps {
  name: string;
  held: Held;
  onOpen(): void;
}

/** Between two hidden hands on one device: nothing of the table shows until the next is there. */
export function Curtain({ name, held, onOpen }: CurtainProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [trouble, setTrouble] = useState("");
  // Before it is painted: whoever sees it can press Enter.
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
      </div>
    </main>
  );
}

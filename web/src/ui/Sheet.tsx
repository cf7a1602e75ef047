import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "./Icon";

interface SheetProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  /** 'side' slides in from the right on wide screens. */
  kind?: "middle" | "side";
}

/** Whether keys are for a sheet. The focus need not be in it: a button that was pressed there and
 * cannot be pressed again has lost it. */
export function sheetIsOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/** The focus goes back to the button that opened the sheet. In the bar of a table it must not stay:
 * the next Enter is for the game. Tab goes on from there all the same. */
function leaveBar(): void {
  const active = document.activeElement;
  if (active instanceof HTMLElement && active.closest(".table-top")) active.blur();
}

/** A dialog above the page. It is on the screen as long as it is rendered. */
export function Sheet({ title, onClose, children, kind = "middle" }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => {
      element?.close();
      leaveBar();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`sheet ${kind}`}
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="sheet-body">
        <div class="sheet-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon-button" aria-label={t("close")} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

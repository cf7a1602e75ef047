import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { IconButton } from "./IconButton";
import "./Sheet.css";

interface SheetProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  /** 'side' slides in from the right on wide screens. */
  kind?: "middle" | "side" | "end" | "wide";
}

/** Whether a sheet is open and gets the keys. The focus need not be in it: a button that was
 * disabled after a press has lost it. */
export function sheetIsOpen(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/** Return the focus to the button that opened the sheet. In the bar of a table it is blurred again,
 * because the next Enter belongs to the game; Tab continues from there. */
function leaveBar(): void {
  const active = document.activeElement;
  if (active instanceof HTMLElement && active.closest(".table-top")) active.blur();
}

/** A dialog above the page. It is open as long as it is rendered. */
export function Sheet({ title, onClose, children, kind = "middle" }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next paint: a key that is pressed at once is for the sheet.
  useLayoutEffect(() => {
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
          {/* At the end nothing is to be pressed by mistake: the heading has the focus. */}
          <h2 id={id} {...(kind === "end" && { tabindex: -1, autofocus: true })}>
            {title}
          </h2>
          <IconButton icon="close" label={t("close")} onClick={onClose} />
        </div>
        {children}
      </div>
    </dialog>
  );
}

import { useCallback, useLayoutEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import { api } from "../live/api";
import type { LiveTable } from "../live/table";
import { IconButton } from "../ui/IconButton";
import { sheetIsOpen } from "../ui/Sheet";
import { failure } from "./create";
import { isMyTurn } from "./desk";

/** Asks a bot for the best moves; pressed again, it hides them. */
export function HintButton({ table }: { table: LiveTable }) {
  const [busy, setBusy] = useState(false);
  const open = isMyTurn(table) && !table.view.value?.held && !busy;
  const ask = useCallback(async () => {
    if (table.hints.peek()) {
      table.hints.value = null;
      return;
    }
    setBusy(true);
    try {
      await table.showHints(api.hint(table.slug));
    } catch (error) {
      table.refusal.value = failure(error);
    }
    setBusy(false);
  }, [table]);
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const target = event.target as Element | null;
      if (event.key.toLowerCase() !== "h" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!open || target?.closest("input, select, textarea") || sheetIsOpen()) return;
      void ask();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [open, ask]);
  return (
    <IconButton
      icon="hint"
      label={t("ask-hint")}
      tip={t("ask-hint-tip")}
      class="hint-button"
      disabled={!open}
      onClick={() => void ask()}
    />
  );
}

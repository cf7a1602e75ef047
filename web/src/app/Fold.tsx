import type { ComponentChildren } from "preact";
import { useSmall } from "../ui/screen";
import "./Fold.css";

interface FoldProps {
  label: string;
  /** What is chosen now. */
  value: string;
  open?: boolean;
  children: ComponentChildren;
}

/** A setting; on a phone a row that says its value and opens at a tap. */
export function Fold({ label, value, open = false, children }: FoldProps) {
  if (!useSmall()) return <>{children}</>;
  return (
    <details class="fold" open={open}>
      <summary class="fold-row">
        <span>{label}</span>
        <span class="fold-value">{value}</span>
      </summary>
      {children}
    </details>
  );
}

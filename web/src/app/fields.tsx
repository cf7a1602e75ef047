import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { t } from "../i18n";

/** The shortest password, as in the server's `limits.py`. */
export const PASSWORD_LEAST = 10;

interface PasswordProps {
  label: string;
  /** Whether it is a new one: password managers then offer to generate it. */
  fresh?: boolean;
  value: string;
  onInput(value: string): void;
}

/** A password field that can show its text. */
export function Password({ label, fresh = false, value, onInput }: PasswordProps) {
  const [seen, setSeen] = useState(false);
  const id = useId();
  // Preact's types know inputs of one kind each, not one that changes between two.
  const kind = (seen ? "text" : "password") as "password";
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="field-row">
        <input
          id={id}
          class="grow"
          name={fresh ? "new-password" : "password"}
          type={kind}
          autocomplete={fresh ? "new-password" : "current-password"}
          autocapitalize="none"
          spellcheck={false}
          maxLength={128}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
        <button
          type="button"
          class="button"
          aria-label={t(seen ? "account-hide-it" : "account-show-it", { what: label })}
          onClick={() => setSeen(!seen)}
        >
          {t(seen ? "account-hide" : "account-show")}
        </button>
      </div>
    </div>
  );
}

interface FormProps {
  /** Whether it is drawn as a card. */
  card?: boolean;
  send(): Promise<void>;
  children: ComponentChildren;
}

/** A form, submitted by a button or Enter, without the browser's own validation. */
export function Form({ card = false, send, children }: FormProps) {
  return (
    <form
      class={card ? "stack card" : "stack"}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {children}
    </form>
  );
}

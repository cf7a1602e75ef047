import { useState } from "preact/hooks";
import { t } from "../i18n";
import { isLocal } from "../local/here";
import { announce } from "../ui/announce";
import { IconButton } from "../ui/IconButton";
import "./Share.css";

/** The link to a table, to copy, to send, or to point a camera at. */
export function SharePanel({ slug }: { slug: string }) {
  if (isLocal(slug)) return null;
  return (
    <section class="share">
      <h2>{t("share-title")}</h2>
      <p class="muted">{t("share-text")}</p>
      <LinkRow address={`${location.origin}/t/${slug}`} />
      <img class="qr" src={`/api/tables/${slug}/qr.svg`} alt={t("qr")} width="180" height="180" />
    </section>
  );
}

/** An address, to copy or to send. */
export function LinkRow({ address }: { address: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      setCopied(true);
      announce(t("copied"));
      setTimeout(() => setCopied(false), 2500);
    } catch {
      // The address stands there to be copied by hand.
    }
  };
  return (
    <div class="field-row">
      <input class="share-link" readOnly value={address} aria-label={t("link")} />
      <button type="button" class="button" onClick={() => void copy()}>
        {copied ? t("copied") : t("copy")}
      </button>
      {typeof navigator.share === "function" && (
        <IconButton
          icon="share"
          label={t("send-link")}
          onClick={() => void navigator.share({ url: address }).catch(() => undefined)}
        />
      )}
    </div>
  );
}

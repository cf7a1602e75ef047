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
      <div class="share-words">
        <h2>{t("share-title")}</h2>
        <p class="muted">{t("share-text")}</p>
        <LinkRow address={`${location.origin}/t/${slug}`} />
      </div>
      <img class="qr" src={`/api/tables/${slug}/qr.svg`} alt={t("qr")} width="180" height="180" />
    </section>
  );
}

/** Sends the address of a game that is over; where nothing can be sent, copies it. */
export function ShareGame({ address }: { address: string }) {
  const [copied, setCopied] = useState(false);
  const url = location.origin + address;
  const share = async () => {
    try {
      if (navigator.share) await navigator.share({ url });
      else {
        await navigator.clipboard.writeText(url);
        setCopied(true);
        announce(t("copied"));
      }
    } catch {
      // Sending was cancelled, or nothing may be copied: looking back has the address, too.
    }
  };
  return (
    <button type="button" onClick={() => void share()}>
      {t(copied ? "copied" : "share-game")}
    </button>
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

import { Icon, type IconName } from "./Icon";

interface Props {
  icon: IconName;
  label: string;
  /** What it does, where the label is not enough. */
  tip?: string;
  size?: number;
  class?: string;
  disabled?: boolean;
  onClick: () => void;
}

/** A button that shows an icon only; its label is also its tooltip. */
export function IconButton({ icon, label, tip = label, size, class: kind, ...rest }: Props) {
  return (
    <button
      type="button"
      class={kind ? `icon-button ${kind}` : "icon-button"}
      aria-label={label}
      title={tip}
      {...rest}
    >
      <Icon name={icon} {...(size === undefined ? {} : { size })} />
    </button>
  );
}

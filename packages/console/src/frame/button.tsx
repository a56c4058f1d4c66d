import type { ButtonHTMLAttributes } from 'react';
import { useKeyHint } from '../keys/single-keys.tsx';
import { Icon } from '../symbols/icon.tsx';
import type { IconName } from '../symbols/icon-names.ts';

type Props = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
  readonly label: string;
  readonly icon?: IconName;
  /** The key that does the same. */
  readonly hint?: string;
  /** `primary`, `ghost`, `sm`, `xl`: classes of the style. */
  readonly kind?: string;
};

export function Button({ label, icon, hint, kind = '', type = 'button', ...rest }: Props) {
  const keyHint = useKeyHint();
  return (
    <button type={type} className={`btn ${kind}`.trim()} {...rest}>
      {icon && <Icon name={icon} />}
      <span>{label}</span>
      {hint !== undefined && <kbd aria-hidden="true">{keyHint(hint)}</kbd>}
    </button>
  );
}

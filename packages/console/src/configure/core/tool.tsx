import { Icon } from '../../symbols/icon.tsx';
import type { IconName } from '../../symbols/icon-names.ts';

type Props = {
  readonly icon: IconName;
  readonly label: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
};

/** A small button of a line in a list. */
export function Tool({ icon, label, isOff = false, onClick }: Props) {
  return (
    <button type="button" className="btn sm icon ghost" aria-label={label} disabled={isOff} onClick={onClick}>
      <Icon name={icon} size={14} />
    </button>
  );
}

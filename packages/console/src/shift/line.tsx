import { Icon } from '../symbols/icon.tsx';
import type { IconName } from '../symbols/icon-names.ts';

/** How many lines a small list of the sheet shows at first. */
export const mostLines = 5;

type LineProps = {
  readonly icon: IconName;
  readonly text: string;
  readonly more?: string;
  readonly at: string;
};

/** A line about something that is no alarm. */
export function Line({ icon, text, more = '', at }: LineProps) {
  return (
    <li>
      <Icon name={icon} />
      <span className="small">
        {text}
        {more !== '' && <small>{more}</small>}
      </span>
      <time>{at}</time>
    </li>
  );
}

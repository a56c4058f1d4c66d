import type { IconName } from './icon-names.ts';
import sprite from './icons.svg';

type Props = { readonly name: IconName; readonly size?: number };

/** A line icon. It stands beside a word that says the same, so screen readers skip it. */
export function Icon({ name, size = 16 }: Props) {
  return (
    <svg className="ic" width={size} height={size} aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}

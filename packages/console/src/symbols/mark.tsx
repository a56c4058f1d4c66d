import { markPath } from './mark-path.ts';

/** The mark of Tocsin: a struck bell with a T cut into it. */
export function Mark({ size = 26 }: { readonly size?: number }) {
  return (
    <svg className="tmark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path fill="currentColor" fillRule="evenodd" d={markPath} />
    </svg>
  );
}

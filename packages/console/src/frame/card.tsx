import type { ReactNode } from 'react';
import { ApiCallButton } from './api-call.tsx';
import type { ApiCall } from './curl.ts';

type Props = {
  readonly title: string;
  /** A fact beside the title. */
  readonly note?: string | undefined;
  /** Further classes of the style. */
  readonly kind?: string;
  /** The request that has filled the card. */
  readonly call?: ApiCall | undefined;
  readonly children: ReactNode;
};

/** A part of a page with a heading. The content brings its own margin, class `in`. */
export function Card({ title, note = '', kind = '', call, children }: Props) {
  return (
    <section className={`card ${kind}`.trim()} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="fill" />
        {note !== '' && <small>{note}</small>}
        {call && <ApiCallButton call={call} of={title} />}
      </header>
      {children}
    </section>
  );
}

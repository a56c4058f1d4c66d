import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useWords } from '../words/use-words.ts';

type Props<Item> = {
  readonly title: string;
  readonly note?: string;
  readonly items: readonly Item[];
  /** How many there are, if the items are not all of them. */
  readonly total?: number;
  /** How many are shown at first, so that the sheet stays one sheet. */
  readonly most?: number;
  /** False where the note counts something else. */
  readonly isCounted?: boolean;
  readonly none: string;
  readonly children: (item: Item) => ReactNode;
};

/** A list of the sheet. It says how many it does not show, and why it is empty. */
export function Section<Item>(props: Props<Item>) {
  const { title, note = '', items, total, most = 8, isCounted = true, none, children } = props;
  const words = useWords().shift;
  const [isWhole, setIsWhole] = useState(false);
  const all = Math.max(total ?? 0, items.length);
  const shown = isWhole ? items : items.slice(0, most);
  const count =
    all === 0 || !isCounted ? '' : shown.length < all ? words.some(shown.length, all) : String(all);
  return (
    <section aria-label={title}>
      <h2>
        {title} <small>{[count, note].filter((text) => text !== '').join(', ')}</small>
      </h2>
      {items.length === 0 ? (
        <p className="slnone">{none}</p>
      ) : (
        <ol className="slist">{shown.map(children)}</ol>
      )}
      {shown.length < items.length && (
        <button type="button" className="lnk noprint slmore" onClick={() => setIsWhole(true)}>
          {words.showAll(items.length)}
        </button>
      )}
    </section>
  );
}

type AlarmLinkProps = { readonly id: number; readonly text: string; readonly more?: string | undefined };

/** The message of an alarm, which opens its page, and a remark. */
export function AlarmLink({ id, text, more = '' }: AlarmLinkProps) {
  return (
    <span>
      <Link to="/alarms/$id" params={{ id: String(id) }}>
        {text}
      </Link>
      {more !== '' && <small>{more}</small>}
    </span>
  );
}

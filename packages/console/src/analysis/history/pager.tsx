import { Icon } from '../../symbols/icon.tsx';
import { useWords } from '../../words/use-words.ts';
import { pageSize } from './history-search.ts';

type Props = { readonly total: number; readonly page: number; readonly onPage: (page: number) => void };

/** Which rows are shown, and the way to the others. */
export function Pager({ total, page, onPage }: Props) {
  const words = useWords().histories;
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const last = Math.min(total, page * pageSize);
  return (
    <footer className="histfoot">
      <b>{words.rows(Math.min(total, (page - 1) * pageSize + 1), last, total)}</b>
      <span className="counted">{words.counted}</span>
      <span className="fill" />
      <button
        type="button"
        className="btn sm icon"
        aria-label={words.before}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <Icon name="chevron-left" />
      </button>
      <span>{words.page(page, pages)}</span>
      <button
        type="button"
        className="btn sm icon"
        aria-label={words.next}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        <Icon name="chevron-right" />
      </button>
    </footer>
  );
}

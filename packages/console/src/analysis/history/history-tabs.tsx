import { Link } from '@tanstack/react-router';
import { ApiCallButton } from '../../frame/api-call.tsx';
import { useWords } from '../../words/use-words.ts';
import type { Filters } from '../analysis-queries.ts';
import { useNumbers } from '../numbers.ts';
import { CsvButton } from './csv-button.tsx';
import { type HistorySearch, tabs } from './history-search.ts';
import { lists } from './lists.tsx';

type Props = {
  readonly search: HistorySearch;
  readonly asked: Filters;
  readonly total: number | undefined;
};

/** The lists, with the number of rows of the one that is open, its request and its file. */
export function HistoryTabs({ search, asked, total }: Props) {
  const words = useWords().histories;
  const numbers = useNumbers();
  const open = search.tab ?? 'alarms';
  return (
    <nav className="views" aria-label={words.lists}>
      {tabs.map((tab) => (
        <Link
          key={tab}
          className="view"
          to="/history"
          search={{ ...search, page: undefined, tab: tab === 'alarms' ? undefined : tab }}
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{ 'aria-current': undefined }}
          {...(tab === open && { 'aria-current': 'page' as const })}
        >
          {words.tabs[tab]} {tab === open && total !== undefined && <i>{numbers.count(total)}</i>}
        </Link>
      ))}
      <span className="tools">
        <ApiCallButton call={{ method: 'GET', path: lists[open].path, query: asked }} of={words.tabs[open]} />
        <CsvButton tab={open} asked={asked} total={total} />
      </span>
    </nav>
  );
}

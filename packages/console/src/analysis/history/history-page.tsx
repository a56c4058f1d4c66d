import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { reasonOf } from '../../services/reason-of.ts';
import { useMay } from '../../services/use-may.ts';
import { useSiteTime } from '../../time/site-time.ts';
import { useNow } from '../../time/use-now.ts';
import { useWords } from '../../words/use-words.ts';
import { inPeriod, usePage } from '../analysis-queries.ts';
import { periodOf } from '../period.ts';
import { Table } from '../table.tsx';
import { useZone } from '../use-zone.ts';
import { HistoryFilters } from './history-filters.tsx';
import { filtersOf, type HistorySearch, pageSize, type Tab } from './history-search.ts';
import { HistoryTabs } from './history-tabs.tsx';
import { lists } from './lists.tsx';
import { Pager } from './pager.tsx';
import { Totals } from './totals.tsx';

const route = getRouteApi('/desk/history');

/** What happened: alarms one by one, by tag, by person, and the calls. */
export function HistoryPage() {
  const words = useWords().histories;
  const search = route.useSearch();
  const navigate = useNavigate();
  const zone = useZone(search.stationId);
  const tab = search.tab ?? 'alarms';
  const period = periodOf(search, useNow(), zone);
  const filters = filtersOf(search);
  const asked = { ...inPeriod(period, filters), sort: lists[tab].sort };
  const mayRead = useMay().has(tab === 'calls' ? 'calls:read' : 'history:read');
  const page = search.page ?? 1;
  const bounds = { offset: (page - 1) * pageSize, limit: pageSize };
  const { data, error } = usePage<never>(lists[tab].path, { ...asked, ...bounds }, mayRead);
  const go = (next: HistorySearch) => void navigate({ to: '/history', search: next, replace: true });
  return (
    <main className="histpage">
      <h1 className="vh">{words.title}</h1>
      <HistoryTabs search={search} asked={asked} total={data?.paging.total} />
      <HistoryFilters search={search} period={period} zone={zone} onChange={go} />
      <p className="hlead">
        {words.lead} {tab === 'calls' && words.callsOfAll}
      </p>
      {tab !== 'calls' && mayRead && <Totals period={period} filters={filters} />}
      <Refusal tab={tab} mayRead={mayRead} error={error} />
      <Rows tab={tab} items={data?.items} />
      {data && (
        <Pager
          total={data.paging.total}
          page={page}
          onPage={(next) => go({ ...search, page: next === 1 ? undefined : next })}
        />
      )}
    </main>
  );
}

type RefusalProps = { readonly tab: Tab; readonly mayRead: boolean; readonly error: Error | null };

/** Why there is no list. */
function Refusal({ tab, mayRead, error }: RefusalProps) {
  const words = useWords();
  if (!mayRead)
    return <p className="wrong">{tab === 'calls' ? words.histories.noCalls : words.analysis.notAllowed}</p>;
  if (!error) return null;
  return (
    <p className="wrong" role="alert">
      {words.actions.failed(words.analysis.reading, reasonOf(error))}
    </p>
  );
}

type RowsProps = { readonly tab: Tab; readonly items: readonly never[] | undefined };

function Rows({ tab, items }: RowsProps) {
  const words = useWords();
  const show = { words, time: useSiteTime() };
  const list = lists[tab];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
    <section className="hist" aria-label={words.histories.tabs[tab]} tabIndex={0}>
      {items?.length === 0 && <p className="hnone">{words.histories.none}</p>}
      {items && items.length > 0 && (
        <Table
          label={words.histories.tabs[tab]}
          kind={`edge ${tab}`}
          columns={list.columns(words)}
          rows={items.map((item: { id: number }) => ({
            key: item.id,
            cells: list.cells(item as never, show),
          }))}
        />
      )}
    </section>
  );
}

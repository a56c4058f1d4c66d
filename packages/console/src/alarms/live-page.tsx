import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useRef } from 'react';
import { useConnection, useIsOnline } from '../services/use-live.ts';
import { useWords } from '../words/use-words.ts';
import { ActionBar } from './actions/action-bar.tsx';
import { useAlarms } from './alarms-context.tsx';
import { Dialogs } from './dialogs/dialogs.tsx';
import { isFiltered, matcherOf } from './filters/filter.ts';
import { Filters } from './filters/filters.tsx';
import { ListTools } from './filters/list-tools.tsx';
import { Views } from './filters/views.tsx';
import { AlarmList } from './list/alarm-list.tsx';
import { HeldBar, StaleBar } from './list/list-bars.tsx';
import { useList } from './list/use-list.ts';
import { SidePanel } from './panel/side-panel.tsx';

const route = getRouteApi('/desk/');
const AllQuiet = lazy(async () => ({ default: (await import('../quiet/all-quiet.tsx')).AllQuiet }));

/** The list that the control room looks at all night. */
export function LivePage() {
  const filter = route.useSearch();
  const navigate = useNavigate();
  const { rows, byId } = useAlarms();
  const search = useRef<HTMLInputElement>(null);
  const sorted = useMemo(() => rows.filter(matcherOf(filter)), [rows, filter]);
  const list = useList(sorted, {
    key: JSON.stringify(filter),
    find: () => search.current?.focus(),
    flood: () => void navigate({ to: '/flood' }),
    mayFreeze: true,
  });
  const { shown, held, focused, isFrozen, freeze, actions } = list;
  const open = focused === undefined ? undefined : byId.get(focused);
  // Only a fresh list can say that all is well.
  const isQuiet = useIsOnline() && sorted.length + shown.length === 0 && !isFiltered(filter);
  return (
    <>
      <main className={open ? 'work' : 'work wide'}>
        <div className="listcol">
          {!isQuiet && <Title />}
          <Views filter={filter} />
          <Filters filter={filter} shown={sorted.length} all={rows.length} searchRef={search}>
            <ListTools rows={shown} isFrozen={isFrozen} onFreeze={freeze} onAcknowledge={list.ask} />
          </Filters>
          <div className="grid">
            <StaleBar />
            {!isQuiet && (
              <HeldBar held={held} onRelease={list.release} onThaw={isFrozen ? freeze : undefined} />
            )}
            {!isQuiet && <AlarmList {...list.list} />}
            {shown.length === 0 && <Empty isQuiet={isQuiet} hidden={isFiltered(filter) ? rows.length : 0} />}
          </div>
          <ActionBar
            rows={list.rows}
            actions={actions}
            callKey="⇧K"
            onAcknowledge={list.acknowledge}
            onDialog={list.ask}
          />
        </div>
        {open && <SidePanel row={open} onClose={() => list.focus(undefined)} />}
      </main>
      <Dialogs {...list.dialogs} />
    </>
  );
}

const Title = () => <h1 className="vh">{useWords().list.label}</h1>;

/** An empty list says why it is empty. */
function Empty({ hidden, isQuiet }: { readonly hidden: number; readonly isQuiet: boolean }) {
  const words = useWords();
  const connection = useConnection();
  const navigate = useNavigate();
  if (isQuiet)
    return (
      <Suspense>
        <AllQuiet />
      </Suspense>
    );
  return (
    <div className="empty">
      <p>{hidden > 0 ? words.list.hidden(hidden) : connection === 'lost' && words.quiet.notKnown}</p>
      {hidden > 0 && (
        <button type="button" className="btn" onClick={() => void navigate({ to: '/', search: {} })}>
          <span>{words.list.showAll(hidden)}</span>
        </button>
      )}
    </div>
  );
}

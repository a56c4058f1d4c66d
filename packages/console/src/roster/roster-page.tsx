import { getRouteApi } from '@tanstack/react-router';
import type { CallGroup } from '@tocsin/contract';
import { useMemo } from 'react';
import { StaleBar } from '../alarms/list/list-bars.tsx';
import { useMeta } from '../services/queries.ts';
import { reasonOf } from '../services/reason-of.ts';
import { useMay } from '../services/use-may.ts';
import { currentTime } from '../time/current-time.ts';
import { useWords } from '../words/use-words.ts';
import { GroupList } from './group-list.tsx';
import { Plan } from './plan.tsx';
import { dayAt, instantOf } from './planning/days.ts';
import { dayOfDate, rosterOf } from './planning/roster-of.ts';
import { RosterProvider } from './roster-context.ts';
import {
  type Published,
  useGroups,
  useLeaves,
  usePeople,
  usePublished,
  useZoneOf,
} from './roster-queries.ts';
import { usePlanner } from './use-planner.ts';
import { WhatIfPanel } from './what-if-panel.tsx';

const route = getRouteApi('/desk/roster');

/** Who is on duty when: weeks and months of a call group, changes of them, and what they mean for calls. */
export function RosterPage() {
  const words = useWords().roster;
  const search = route.useSearch();
  const groups = useGroups();
  if (!groups) return <main className="rosterpage" />;
  const group = groups.find(({ id }) => id === search.group) ?? groups[0];
  return (
    <main className="rosterpage">
      <GroupList groups={groups} current={group?.id} />
      {group ? (
        <Opened key={group.id} id={group.id} groups={groups} />
      ) : (
        <p className="rosternone">{words.noGroups}</p>
      )}
    </main>
  );
}

type OpenedProps = { readonly id: number; readonly groups: readonly CallGroup[] };

function Opened({ id, groups }: OpenedProps) {
  const words = useWords();
  const { data: published, error } = usePublished(id);
  if (published) return <Group published={published} groups={groups} />;
  if (!error) return null;
  return (
    <p className="wrong" role="alert">
      {words.actions.failed(words.roster.reading, reasonOf(error))}
    </p>
  );
}

type Props = { readonly published: Published; readonly groups: readonly CallGroup[] };

/** Leaves are read for a little more than the month that is shown. */
const around = 45;

function Group({ published, groups }: Props) {
  const search = route.useSearch();
  const planner = usePlanner(published);
  const people = usePeople();
  const zone = useZoneOf()(planner.base.group);
  const may = useMay();
  const self = useMeta()?.user.id;
  const today = dayAt(currentTime(), zone);
  const day = search.day === undefined ? today : dayOfDate(search.day);
  const [from, to] = [instantOf(day - around, 0, zone), instantOf(day + around, 0, zone)];
  const leaves = useLeaves(from, to);
  const roster = useMemo(() => rosterOf(planner.planned, leaves), [planner.planned, leaves]);
  const mayPlan = may.has('callgroups:write');
  const mayTake = may.has('alarms:act') && self !== undefined && self > 0;
  const plan = { planner, roster, zone, leaves, people, mayPlan, self: mayTake ? self : undefined };
  const relief = groups.find(({ id }) => id === planner.base.group.reliefGroupId);
  return (
    <RosterProvider value={plan}>
      <section className="week" aria-label={planner.base.group.localizedName} tabIndex={-1}>
        <StaleBar />
        <Plan day={day} today={today} isMonth={search.view === 'month'} relief={relief?.localizedName} />
      </section>
      <WhatIfPanel />
    </RosterProvider>
  );
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { AlarmIntervention, CallGroup, CallHistory } from '@tocsin/contract';
import { useMemo } from 'react';
import { shiftsOf } from '../../phone/shifts-of.ts';
import { useStations } from '../../services/queries.ts';
import { useServices } from '../../services/services.ts';
import { useMay } from '../../services/use-may.ts';
import { useWords } from '../../words/use-words.ts';
import { type Filters, inPeriod, type Page, readAll } from '../analysis-queries.ts';
import type { Period } from '../period.ts';
import { Table } from '../table.tsx';
import { figuresByPerson } from './people.ts';

/** More calls would keep the desk waiting; then they are not counted by person. */
const mostCalls = 20_000;

type Props = { readonly period: Period; readonly filters: Filters };

/** Who took alarms, who was called, and for how long they were on duty. */
export function PeopleSection({ period, filters }: Props) {
  const words = useWords();
  const { api } = useServices();
  const may = useMay();
  const query = inPeriod(period, {});
  const { data } = useQuery({
    queryKey: ['report-people', query, filters['stationId']],
    queryFn: async () => {
      const own = inPeriod(period, { stationId: filters['stationId'] });
      const interventions = await readAll<AlarmIntervention>(api, '/alarms/interventions', own);
      if (!may.has('calls:read')) return { interventions, calls: null };
      const first = (await api.get<Page<CallHistory>>('/call/histories', { ...query, limit: 1 })).data;
      const isTooMany = first.paging.total > mostCalls;
      return {
        interventions,
        calls: isTooMany ? null : await readAll<CallHistory>(api, '/call/histories', query),
      };
    },
    placeholderData: keepPreviousData,
  });
  const hoursOf = useDutyHours(period);
  if (!data) return null;
  const people = figuresByPerson(data.interventions, data.calls ?? []);
  if (people.length === 0) return <p className="muted">{words.report.noPeople}</p>;
  const known = (count: number) => (data.calls ? count : '–');
  return (
    <>
      <Table
        label={words.report.people}
        columns={[
          { label: words.histories.person },
          { label: words.report.taken, isNumber: true },
          { label: words.report.calls, isNumber: true },
          { label: words.report.nightCalls, isNumber: true },
          { label: words.report.onDuty, isNumber: true },
        ]}
        rows={people.map(({ userId, name, taken, calls, nightCalls }) => ({
          key: userId,
          cells: [name, taken, known(calls), known(nightCalls), words.report.hours(hoursOf(userId))],
        }))}
      />
      <p className="muted fs12">
        {data.calls === null && `${words.report.tooManyCalls} `}
        {words.report.dutyNote}
      </p>
    </>
  );
}

/** Whole hours on duty in a period, by the rosters of the call groups. */
function useDutyHours(period: Period): (userId: number) => number {
  const { api } = useServices();
  const stations = useStations();
  const { data: groups } = useQuery({
    queryKey: ['callgroups'],
    queryFn: async () => (await api.get<{ items: CallGroup[] }>('/callgroups', { limit: 1_000 })).data.items,
    staleTime: 60_000,
    enabled: useMay().has('callgroups:read'),
  });
  const { from, to } = period;
  const known = useMemo(() => {
    const zoneOf = (stationId: number) =>
      (stations.find(({ id }) => id === stationId) ?? stations[0])?.timeZone ?? 'UTC';
    return (groups ?? []).map((group) => ({ group, zone: zoneOf(group.stationId) }));
  }, [groups, stations]);
  return (userId) => {
    const shifts = shiftsOf(userId, known, { from, to });
    return Math.round(shifts.reduce((sum, shift) => sum + within(shift, period), 0) / 3_600_000);
  };
}

const within = (shift: Period, { from, to }: Period) =>
  Math.max(0, Math.min(shift.to, to) - Math.max(shift.from, from));

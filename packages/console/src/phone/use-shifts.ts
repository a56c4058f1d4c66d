import { useQuery } from '@tanstack/react-query';
import type { CallGroup } from '@tocsin/contract';
import { useMemo } from 'react';
import { useLeaves } from '../roster/roster-queries.ts';
import { useStations } from '../services/queries.ts';
import { useServices } from '../services/services.ts';
import { type Shift, shiftsOf } from './shifts-of.ts';

const hourMs = 3_600_000;
const backMs = 36 * hourMs;
const aheadMs = 21 * 24 * hourMs;

/** The shifts of a person from yesterday until three weeks ahead; undefined while the rosters are not known. */
export function useShifts(userId: number, now: number): readonly Shift[] | undefined {
  const { api } = useServices();
  const stations = useStations();
  const { data: groups } = useQuery({
    queryKey: ['callgroups'],
    queryFn: async () => (await api.get<{ items: CallGroup[] }>('/callgroups', { limit: 1_000 })).data.items,
    staleTime: 60_000,
  });
  const hour = Math.floor(now / hourMs) * hourMs;
  const leaves = useLeaves(hour - backMs, hour + aheadMs);
  return useMemo(() => {
    if (!groups || stations.length === 0) return undefined;
    const zoneOf = (stationId: number) =>
      (stations.find(({ id }) => id === stationId) ?? stations[0])?.timeZone ?? 'UTC';
    const known = groups.map((group) => ({ group, zone: zoneOf(group.stationId) }));
    return shiftsOf(userId, known, { from: hour - backMs, to: hour + aheadMs, leaves });
  }, [userId, groups, stations, hour, leaves]);
}

import { useQuery } from '@tanstack/react-query';
import type {
  AlarmContext,
  AlarmDetail,
  AlarmHistory,
  CallPreview,
  ConsoleHealth,
  TimelineEntry,
} from '@tocsin/contract';
import type { ApiCall } from '../frame/curl.ts';
import { useServices } from '../services/services.ts';
import { useLive } from '../services/use-live.ts';
import { useMay } from '../services/use-may.ts';
import { currentTime } from '../time/current-time.ts';

type Page<Item> = { readonly items: readonly Item[] };

const yearMs = 364 * 86_400_000;
/** Each change of the alarm is another key, so old answers are soon useless. */
const gcTime = 10_000;

/** Differs after each change of the alarm or of its calls that the hub has told. */
export function useAlarmVersion(id: number): string {
  const { alarms, calls, attempts } = useLive();
  const alarm = alarms.get(id);
  const called = [...calls.values()].filter(({ alarmId }) => alarmId === id);
  return JSON.stringify([
    alarm?.lastChange,
    alarm?.state,
    alarm?.comment,
    called.map((call) => [call.id, call.nextTime, attempts.get(call.id)?.heardAt, call.attempts]),
  ]);
}

/** Keeps the previous answer of the same alarm on the screen while the new one is read. */
const keep = <Data>(id: number) => ({
  gcTime,
  placeholderData: (previous: Data | undefined, query?: { queryKey: readonly unknown[] }) =>
    query?.queryKey[1] === id ? previous : undefined,
});

export function useDetail(id: number, version: string) {
  const { api } = useServices();
  return useQuery({
    queryKey: ['alarm', id, version],
    queryFn: async () => (await api.get<AlarmDetail>(`/alarms/${id}`)).data,
    ...keep<AlarmDetail>(id),
    retry: false,
  });
}

/** For alarms that are over: the contexts of current ones are known. */
export function useContextOf(id: number, isNeeded: boolean): AlarmContext | undefined {
  const { api } = useServices();
  return (
    useQuery({
      queryKey: ['context', id],
      queryFn: async () =>
        (await api.get<Page<AlarmContext>>('/alarms/contexts', { ids: String(id) })).data.items[0] ?? null,
      enabled: isNeeded,
    }).data ?? undefined
  );
}

export const timelineCall = (id: number) =>
  ({ method: 'GET', path: `/alarms/${id}/timeline`, query: { sort: '-id', limit: 500 } }) satisfies ApiCall;

export function useEntries(id: number, version: string): readonly TimelineEntry[] {
  const { api } = useServices();
  const { path, query } = timelineCall(id);
  const read = async () => (await api.get<Page<TimelineEntry>>(path, query)).data.items;
  return (
    useQuery({ queryKey: ['entries', id, version], queryFn: read, ...keep<readonly TimelineEntry[]>(id) })
      .data ?? []
  );
}

/** Occurrences of a year. Histories have no filter by alarm, so they are searched by the path. */
export const historiesCall = (path: string, now: number) =>
  ({
    method: 'GET',
    path: '/alarms/histories',
    query: {
      search: `"${path.replaceAll('"', ' ')}"`,
      from: new Date(now - yearMs).toISOString(),
      sort: '-id',
      limit: 1_000,
    },
  }) satisfies ApiCall;

export function useHistories(
  id: number,
  path: string,
  occurrenceId: number,
): readonly AlarmHistory[] | undefined {
  const { api } = useServices();
  const read = async () => {
    const { path: address, query } = historiesCall(path, currentTime());
    const { data } = await api.get<Page<AlarmHistory>>(address, query);
    return data.items.filter(({ tagId }) => tagId === id);
  };
  const enabled = useMay().has('history:read') && path !== '';
  return useQuery({ queryKey: ['histories', id, path, occurrenceId], queryFn: read, enabled }).data;
}

type Asked = { readonly at: string | undefined; readonly seconds?: number };

/** Who would be called for an alarm from an instant on. */
export function usePreview(alarmId: number, { at, seconds = 3_600 }: Asked): CallPreview | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['preview', alarmId, at, seconds],
    queryFn: async () => (await api.post<CallPreview>('/call/preview', { alarmId, at, seconds })).data,
    enabled: useMay().has('calls:read') && at !== undefined,
  }).data;
}

export const dutyCall = { method: 'GET', path: '/console/health' } satisfies ApiCall;

export function useDuty(): NonNullable<ConsoleHealth['onDuty']> | undefined {
  const { api } = useServices();
  return useQuery({
    queryKey: ['console-health'],
    queryFn: async () => (await api.get<ConsoleHealth>(dutyCall.path)).data,
    refetchInterval: 60_000,
  }).data?.onDuty;
}

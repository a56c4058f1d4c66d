import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Api } from '@tocsin/client';
import type { AlarmHistory, AuditEntry, CallHistory, ShiftNote, ShiftSummary } from '@tocsin/contract';
import type { ApiCall } from '../frame/curl.ts';
import { useServices } from '../services/services.ts';
import { useMay } from '../services/use-may.ts';
import { longestMs, type Period } from './shift-search.ts';

type Page<Item> = { readonly items: readonly Item[]; readonly paging: { readonly total: number } };

const iso = (ms: number) => new Date(ms).toISOString();
const pageSize = 1_000;
/** More than this would keep a desk waiting; figures that need all of them are then not shown. */
const mostPages = 5;
/** Sheets that go on are read again; those of a past shift do not change. */
const everyMs = 15_000;

export type Asked = Period & { readonly stationId: number | undefined };

function queryOf({ from, to, stationId }: Asked) {
  return { from: iso(from), to: to === undefined ? undefined : iso(to), stationId };
}

export const summaryCall = (asked: Asked) =>
  ({ method: 'GET', path: '/shifts/summary', query: queryOf(asked) }) satisfies ApiCall;

const kept = ({ to }: Asked) => ({
  placeholderData: keepPreviousData,
  refetchInterval: to === undefined ? everyMs : (false as const),
});

export function useSummary(asked: Asked) {
  const { api } = useServices();
  const { path, query } = summaryCall(asked);
  return useQuery({
    queryKey: ['shift-summary', query],
    queryFn: async () => (await api.get<ShiftSummary>(path, query)).data,
    ...kept(asked),
  });
}

/** All items of a list, or null if there are too many to read. */
async function readPages<Item>(
  api: Api,
  path: string,
  query: Record<string, string | number | undefined>,
): Promise<readonly Item[] | null> {
  const items: Item[] = [];
  for (let page = 0; page < mostPages; page += 1) {
    const bounds = { offset: items.length, limit: pageSize };
    const { data } = await api.get<Page<Item>>(path, { ...query, ...bounds });
    items.push(...data.items);
    if (data.items.length === 0 || items.length >= data.paging.total) return items;
  }
  return null;
}

/** The occurrences of the period; null if there are too many, undefined until they are read. */
export function useOccurrencesOf(asked: Asked): readonly AlarmHistory[] | null | undefined {
  const { api } = useServices();
  const query = queryOf(asked);
  return useQuery({
    queryKey: ['shift-occurrences', query],
    queryFn: () => readPages<AlarmHistory>(api, '/alarms/histories', query),
    ...kept(asked),
  }).data;
}

/** The calls and messages of the period. Their list has no filter by station. */
export function useCallsOf(asked: Asked): readonly CallHistory[] | null | undefined {
  const { api } = useServices();
  const { from, to } = queryOf(asked);
  return useQuery({
    queryKey: ['shift-calls', from, to],
    queryFn: () => readPages<CallHistory>(api, '/call/histories', { from, to }),
    ...kept(asked),
    enabled: useMay().has('calls:read'),
  }).data;
}

/** Who has silenced a horn. Only the audit trail knows, so not everybody may read it. */
export function useSilences(asked: Asked): Page<AuditEntry> | undefined {
  const { api } = useServices();
  const { from, to } = queryOf(asked);
  const query = { from, to, action: 'desk.silence', sort: '-id', limit: 200 };
  return useQuery({
    queryKey: ['shift-silences', from, to],
    queryFn: async () => (await api.get<Page<AuditEntry>>('/audit', query)).data,
    ...kept(asked),
    enabled: useMay().has('audit:read'),
  }).data;
}

export const notesKey = ['shift-notes'];

/** The notes of the longest period, the newest first; undefined until they are read. */
export function useNotes(now: number): readonly ShiftNote[] | undefined {
  const { api } = useServices();
  const from = iso(Math.floor(now / 3_600_000) * 3_600_000 - longestMs);
  return useQuery({
    queryKey: [...notesKey, 'list', from],
    queryFn: async () => (await api.get<Page<ShiftNote>>('/shifts/notes', { from, limit: 200 })).data.items,
    placeholderData: keepPreviousData,
    refetchInterval: everyMs,
  }).data;
}

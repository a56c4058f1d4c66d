import type { HubFilter } from '@tocsin/contract';
import { conditionOf, matchesSearch, searchTerms, searchText } from '@tocsin/domain';
import type { HubInvocation } from '@tocsin/signalr';
import type { CallEvent } from './call-event.ts';
import { alarmOf, type FeedEntry, onAlarmCall, onAlarmChangedCall } from './feed-entry.ts';
import { reachOf, type StationById } from './tag-reach.ts';

/** Selects the entries of a tenant's journal for a client. Clients with the same key share each message. */
export type SubscriberFilter = {
  readonly key: string;
  /** Whether `onAlarmChanged` is pushed too. */
  readonly changes: boolean;
  matches(entry: FeedEntry): boolean;
  /** Whether `matches` needs the reach of the entries' tags. */
  readonly needsReach: boolean;
  /** Equal for clients that get the same call events; undefined for clients that want none. */
  readonly callEventsKey: string | undefined;
  matchesCallEvent(callEvent: CallEvent): boolean;
};

export type SubscriberFilterSettings = {
  /** Stations the token may see; absent means all. */
  stationIds: readonly number[] | undefined;
  filter: HubFilter;
};

export function createSubscriberFilter({ stationIds, filter }: SubscriberFilterSettings): SubscriberFilter {
  const { stationId, dataServerId, alarmState, search = '', changes = false } = filter;
  const { tagGroupId, scenarioId, callGroupId } = filter;
  const { calls = false, sounds = false } = filter;
  const terms = searchTerms(search);
  const ids = [stationId, dataServerId, tagGroupId, scenarioId, callGroupId];
  const needsReach = [tagGroupId, scenarioId, callGroupId].some((id) => id !== undefined);
  const visible = stationIds && new Set(stationIds);
  const isVisibleStation = (station: number | null) =>
    (visible === undefined || (station !== null && visible.has(station))) &&
    (stationId === undefined || stationId === station);
  return {
    key: JSON.stringify([visible && [...visible], ids, alarmState, terms, changes]),
    changes,
    matches: (entry) =>
      isVisibleStation(entry.stationId) &&
      (dataServerId === undefined || dataServerId === alarmOf(entry).dataServerId) &&
      (alarmState === undefined || alarmState === conditionOf(alarmOf(entry).state)) &&
      (terms.length === 0 || matchesText(entry, terms)) &&
      (!needsReach || matchesReach(entry, filter, visible)),
    needsReach,
    callEventsKey:
      calls || sounds ? JSON.stringify([visible && [...visible], stationId, calls, sounds]) : undefined,
    matchesCallEvent: ({ stationId: station, call: { target } }) =>
      (target === 'onCallChanged' ? calls : sounds) && isVisibleStation(station),
  };
}

/**
 * Lets an entry through if its reach could not be read: a superfluous alarm is a nuisance, a missing one could cost a
 * life. A group or scenario that the client may not see does not match, as in `GET /alarms`.
 */
function matchesReach(
  entry: FeedEntry,
  { tagGroupId, scenarioId, callGroupId }: HubFilter,
  visible: ReadonlySet<number> | undefined,
): boolean {
  const reach = reachOf(entry);
  if (!reach) return true;
  const has = (id: number | undefined, ids: readonly number[], stations: StationById) =>
    id === undefined || (ids.includes(id) && isVisible(stations[id], visible));
  return (
    has(tagGroupId, reach.tagGroupIds, reach.stationOf.tagGroups) &&
    has(scenarioId, reach.scenarioIds, reach.stationOf.scenarios) &&
    has(callGroupId, reach.callGroupIds, reach.stationOf.callGroups)
  );
}

function isVisible(station: number | null | undefined, visible: ReadonlySet<number> | undefined): boolean {
  return visible === undefined || station === null || (station !== undefined && visible.has(station));
}

/** Searches tag path, name, message and comment, as `GET /alarms` does. */
function matchesText(entry: FeedEntry, terms: readonly string[]): boolean {
  return matchesSearch(textOf(entry), terms);
}

const texts = new WeakMap<FeedEntry, string>();

/** The text without case and accents. Cached, because making it costs more than the search. */
function textOf(entry: FeedEntry): string {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const { path, name, message, comment } = alarmOf(entry);
  const text = searchText([path, name, message, comment]);
  texts.set(entry, text);
  return text;
}

export type Callback = 'onAlarm' | 'onAlarmChanged';

/** The calls for these entries; `wasSent` skips those that a client has already got. */
export function callsOf(
  filter: SubscriberFilter,
  entries: readonly FeedEntry[],
  wasSent: (entry: FeedEntry, callback: Callback) => boolean = () => false,
): HubInvocation[] {
  return entries.flatMap((entry) => {
    if (!(entry.announce || filter.changes) || !filter.matches(entry)) return [];
    const calls = entry.announce && !wasSent(entry, 'onAlarm') ? [onAlarmCall(entry)] : [];
    return filter.changes && !wasSent(entry, 'onAlarmChanged')
      ? [...calls, onAlarmChangedCall(entry)]
      : calls;
  });
}

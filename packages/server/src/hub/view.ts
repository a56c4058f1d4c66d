import type { HubFilter } from '@tocsin/contract';
import { conditionOf, matchesSearch, searchTerms, searchText } from '@tocsin/domain';
import type { HubCall } from '@tocsin/signalr';
import { alarmOf, type FeedEntry, onAlarmCall, onAlarmChangedCall } from './feed-entry.ts';
import { type Homes, reachOf } from './tag-reach.ts';
import type { Tiding } from './tiding.ts';

/** What some clients get to see of a tenant's journal. Clients that see the same share one view, and each message. */
export type View = {
  readonly key: string;
  /** Whether `onAlarmChanged` is pushed too. */
  readonly changes: boolean;
  shows(entry: FeedEntry): boolean;
  /** Whether it must be known for that what the tags of the entries belong to. */
  readonly needsReach: boolean;
  /** Equal for all who are told the same besides alarms; undefined for who asked for nothing of it. */
  readonly tidingsKey: string | undefined;
  hears(tiding: Tiding): boolean;
};

export type ViewSettings = {
  /** Stations the token may see; absent means all. */
  stationIds: readonly number[] | undefined;
  filter: HubFilter;
};

export function createView({ stationIds, filter }: ViewSettings): View {
  const { stationId, dataServerId, alarmState, search = '', changes = false } = filter;
  const { tagGroupId, scenarioId, callGroupId } = filter;
  const { calls = false, sounds = false } = filter;
  const terms = searchTerms(search);
  const ids = [stationId, dataServerId, tagGroupId, scenarioId, callGroupId];
  const needsReach = [tagGroupId, scenarioId, callGroupId].some((id) => id !== undefined);
  const visible = stationIds && new Set(stationIds);
  const reaches = (station: number | null) =>
    (visible === undefined || (station !== null && visible.has(station))) &&
    (stationId === undefined || stationId === station);
  return {
    key: JSON.stringify([visible && [...visible], ids, alarmState, terms, changes]),
    changes,
    shows: (entry) =>
      reaches(entry.stationId) &&
      (dataServerId === undefined || dataServerId === alarmOf(entry).dataServerId) &&
      (alarmState === undefined || alarmState === conditionOf(alarmOf(entry).state)) &&
      (terms.length === 0 || says(entry, terms)) &&
      (!needsReach || belongs(entry, filter, visible)),
    needsReach,
    tidingsKey:
      calls || sounds ? JSON.stringify([visible && [...visible], stationId, calls, sounds]) : undefined,
    hears: ({ stationId: station, call: { target } }) =>
      (target === 'onCallChanged' ? calls : sounds) && reaches(station),
  };
}

/**
 * What cannot be looked up is shown: to push too much is a nuisance, to hold back could cost a life. What the client may
 * not see is to its filter as if it did not exist, as in `GET /alarms`.
 */
function belongs(
  entry: FeedEntry,
  { tagGroupId, scenarioId, callGroupId }: HubFilter,
  visible: ReadonlySet<number> | undefined,
): boolean {
  const reach = reachOf(entry);
  if (!reach) return true;
  const has = (id: number | undefined, ids: readonly number[], homes: Homes) =>
    id === undefined || (ids.includes(id) && isVisible(homes[id], visible));
  return (
    has(tagGroupId, reach.tagGroupIds, reach.homes.tagGroups) &&
    has(scenarioId, reach.scenarioIds, reach.homes.scenarios) &&
    has(callGroupId, reach.callGroupIds, reach.homes.callGroups)
  );
}

function isVisible(home: number | null | undefined, visible: ReadonlySet<number> | undefined): boolean {
  return visible === undefined || home === null || (home !== undefined && visible.has(home));
}

/** As the search of `GET /alarms`: tag path, name, message and comment. */
function says(entry: FeedEntry, terms: readonly string[]): boolean {
  return matchesSearch(textOf(entry), terms);
}

const texts = new WeakMap<FeedEntry, string>();

/** Without case and accents; made once however many filters search it, since that costs more than the search. */
function textOf(entry: FeedEntry): string {
  const known = texts.get(entry);
  if (known !== undefined) return known;
  const { path, name, message, comment } = alarmOf(entry);
  const text = searchText([path, name, message, comment]);
  texts.set(entry, text);
  return text;
}

export type Callback = 'onAlarm' | 'onAlarmChanged';

/** What clients of the view are called with for these entries; `had` says what one of them has heard before. */
export function callsOf(
  view: View,
  entries: readonly FeedEntry[],
  had: (entry: FeedEntry, callback: Callback) => boolean = () => false,
): HubCall[] {
  return entries.flatMap((entry) => {
    if (!(entry.announce || view.changes) || !view.shows(entry)) return [];
    const calls = entry.announce && !had(entry, 'onAlarm') ? [onAlarmCall(entry)] : [];
    return view.changes && !had(entry, 'onAlarmChanged') ? [...calls, onAlarmChangedCall(entry)] : calls;
  });
}

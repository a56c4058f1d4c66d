import type { FeedEntry } from './feed-entry.ts';

/** The groups and scenarios that a tag reaches. They are not part of its alarm, and can change while the alarm does not. */
export type TagReach = {
  /** Its tag group and those above it. */
  readonly tagGroupIds: readonly number[];
  readonly scenarioIds: readonly number[];
  readonly callGroupIds: readonly number[];
  /** The stations of those that exist. */
  readonly stationOf: Readonly<Record<'tagGroups' | 'scenarios' | 'callGroups', StationById>>;
};

/** Station by id; null for all stations. */
export type StationById = Readonly<Record<string, number | null>>;

const reaches = new WeakMap<FeedEntry, TagReach>();

export function noteReach(entry: FeedEntry, reach: TagReach): void {
  reaches.set(entry, reach);
}

/** The reach when the entry was first pushed or replayed here; undefined if it could not be read. */
export function reachOf(entry: FeedEntry): TagReach | undefined {
  return reaches.get(entry);
}

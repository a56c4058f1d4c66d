import type { FeedEntry } from './feed-entry.ts';

/** What belongs to a tag without being in its alarm: it can change while the alarm does not. */
export type TagReach = {
  /** Its tag group and those above it. */
  readonly tagGroupIds: readonly number[];
  readonly scenarioIds: readonly number[];
  readonly callGroupIds: readonly number[];
  /** Where those of them are that exist. */
  readonly homes: Readonly<Record<'tagGroups' | 'scenarios' | 'callGroups', Homes>>;
};

/** The station of each, by its id; null is all stations. */
export type Homes = Readonly<Record<string, number | null>>;

const reaches = new WeakMap<FeedEntry, TagReach>();

export function noteReach(entry: FeedEntry, reach: TagReach): void {
  reaches.set(entry, reach);
}

/** As it was when the entry was first pushed or replayed here; undefined when it could not be looked up. */
export function reachOf(entry: FeedEntry): TagReach | undefined {
  return reaches.get(entry);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { alarmOf, type FeedEntry } from '../subscriptions/feed-entry.ts';
import { noteReach, reachOf, type TagReach } from '../subscriptions/tag-reach.ts';

export type LoadTagReachParts = {
  readonly readReach: (tagIds: readonly number[]) => Promise<ReadonlyMap<number, TagReach>>;
  readonly onError: (error: unknown) => void;
};

const maxWaitMs = 1_000;
/** The reach of a deleted tag. */
const noReach: TagReach = {
  tagGroupIds: [],
  scenarioIds: [],
  callGroupIds: [],
  stationOf: { tagGroups: {}, scenarios: {}, callGroups: {} },
};

/** Notes the reach of each entry's tag. Waits a second at most: after that a filter lets the entry through. */
export async function loadTagReach(
  entries: readonly FeedEntry[],
  { readReach, onError }: LoadTagReachParts,
): Promise<void> {
  const missing = entries.filter((entry) => reachOf(entry) === undefined);
  if (missing.length === 0) return;
  const load = async () => {
    const found = await readReach([...new Set(missing.map((entry) => alarmOf(entry).id))]);
    for (const entry of missing) noteReach(entry, found.get(alarmOf(entry).id) ?? noReach);
  };
  await Promise.race([load().catch(onError), sleep(maxWaitMs, undefined, { ref: false })]);
}

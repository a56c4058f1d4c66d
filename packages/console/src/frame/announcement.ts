import { type AlarmRow, priorities, titleOf } from '../alarms/alarm-row.ts';
import type { Words } from '../words/use-words.ts';

/** When each alarm was raised, by id. */
export type Raises = ReadonlyMap<number, number>;

export const raisesOf = (rows: readonly AlarmRow[]): Raises =>
  new Map(rows.map(({ alarm, raisedAt }) => [alarm.id, raisedAt]));

/** New alarms that were not there before. One that is raised again is news again. */
export const raisedSince = (before: Raises, rows: readonly AlarmRow[]): AlarmRow[] =>
  rows.filter(({ alarm, state, raisedAt }) => state === 'new' && before.get(alarm.id) !== raisedAt);

/** New alarms in one sentence: how many of each priority, and the most urgent by name. The rows are in the order of the list. */
export function announcementOf(
  fresh: readonly AlarmRow[],
  words: Pick<Words, 'announce' | 'priorities'>,
): string {
  const [first] = fresh;
  if (!first) return '';
  const priority = words.priorities[first.priority];
  if (fresh.length === 1)
    return words.announce.one(priority, titleOf(first.alarm), first.context?.area ?? '');
  const counts = priorities
    .map((each) => ({ each, count: fresh.filter((row) => row.priority === each).length }))
    .filter(({ count }) => count > 0)
    .map(({ each, count }) => `${count} ${words.priorities[each]}`);
  return words.announce.many(fresh.length, counts.join(', '), titleOf(first.alarm));
}

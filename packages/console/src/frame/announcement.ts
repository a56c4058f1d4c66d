import { type AlarmRow, priorities } from '../alarms/alarm-row.ts';
import type { Words } from '../words/use-words.ts';

/** An alarm that is raised again is news again. */
export const keyOfRaise = ({ alarm, raisedAt }: AlarmRow): string => `${alarm.id} ${raisedAt}`;

const nameOf = ({ alarm }: AlarmRow) => (alarm.message === '' ? alarm.path : alarm.message);

/** New alarms in one sentence: how many of each priority, and the most urgent by name. The rows are in the order of the list. */
export function announcementOf(
  fresh: readonly AlarmRow[],
  words: Pick<Words, 'announce' | 'priorities'>,
): string {
  const [first] = fresh;
  if (!first) return '';
  const priority = words.priorities[first.priority];
  if (fresh.length === 1) return words.announce.one(priority, nameOf(first), first.context?.area ?? '');
  const counts = priorities
    .map((each) => ({ each, count: fresh.filter((row) => row.priority === each).length }))
    .filter(({ count }) => count > 0)
    .map(({ each, count }) => `${count} ${words.priorities[each]}`);
  return words.announce.many(fresh.length, counts.join(', '), nameOf(first));
}

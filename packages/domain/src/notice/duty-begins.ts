import type { Roster } from '../roster/roster.ts';
import { rosterChanges } from '../roster/roster-changes.ts';

/** The beginning of a person's duty. */
export type DutyBegin = { userId: number; startsAt: Date };

/**
 * The shifts that begin after `from` and not after `to`. For a person who stays on duty when the shift changes, none begins.
 * Without slots people are always on duty, so none begins.
 */
export function dutyBegins(roster: Roster, zone: string, from: Date, to: Date): DutyBegin[] {
  const end = new Date(to.getTime() + 1);
  const intervals = rosterChanges(roster, zone, from, end);
  return intervals.flatMap(({ startsAt, userIds }, index) => {
    const before = intervals[index - 1];
    if (!before) return [];
    return userIds.filter((id) => !before.userIds.includes(id)).map((userId) => ({ userId, startsAt }));
  });
}

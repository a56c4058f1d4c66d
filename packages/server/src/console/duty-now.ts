import type { DutyNow } from '@tocsin/contract';
import { addSeconds, formatInZone, onDuty, rosterChanges } from '@tocsin/domain';
import type { CallDirectory, CalledGroup } from '../escalations/call-directory.ts';

const daySeconds = 86_400;

/** The people on duty in each call group that a caller limited to these stations may see. */
export function dutyNow(
  { groups, people }: CallDirectory,
  stationIds: readonly number[] | undefined,
  now: Date,
): DutyNow[] {
  const isVisible = ({ stationId }: CalledGroup) =>
    stationIds === undefined || stationId === 0 || stationIds.includes(stationId);
  return [...groups.values()]
    .filter(isVisible)
    .toSorted((one, other) => one.id - other.id)
    .map((group) => dutyOf(group, people, now));
}

function dutyOf(group: CalledGroup, people: CallDirectory['people'], now: Date): DutyNow {
  const { why, userIds } = onDuty(group.roster, group.timeZone, now);
  const end = endOfDuty(group, now);
  return {
    callGroupId: group.id,
    callGroup: group.name,
    stationId: group.stationId,
    why,
    people: userIds.flatMap((id) => {
      const person = people.get(id);
      return person ? [{ userId: id, user: person.name, canBeCalled: person.media.length > 0 }] : [];
    }),
    ...(end && { until: formatInZone(group.timeZone, end) }),
  };
}

/** When other people, or nobody, will be on duty. */
function endOfDuty({ roster, timeZone }: CalledGroup, now: Date): Date | undefined {
  if (roster.slots.length + roster.overrides.length === 0) return undefined;
  // A roster changes within its rotation, whatever the clocks do.
  const days = 7 * (roster.rotation?.weeks ?? 1) + 1;
  const horizon = addSeconds(now, days * daySeconds);
  const [current, next] = rosterChanges(roster, timeZone, now, horizon);
  return next && current?.endsAt;
}

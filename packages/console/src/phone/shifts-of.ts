import type { CallGroup } from '@tocsin/contract';
import { rosterChanges } from '@tocsin/domain';
import { type LeaveOf, rosterOf } from '../roster/planning/roster-of.ts';

/** A time in which a person is on duty. */
export type Shift = {
  readonly groupId: number;
  readonly group: string;
  readonly from: number;
  readonly to: number;
};

type Period = { readonly from: number; readonly to: number };

/** The shifts of a person in a period, by the rosters of the call groups. Groups without a roster have none. */
export function shiftsOf(
  userId: number,
  groups: readonly { readonly group: CallGroup; readonly zone: string }[],
  { from, to, leaves = [] }: Period & { readonly leaves?: readonly LeaveOf[] },
): Shift[] {
  const shifts = groups.flatMap(({ group, zone }) => {
    if (group.roster.slots.length + group.roster.overrides.length === 0) return [];
    const duties = rosterChanges(rosterOf(group, leaves), zone, new Date(from), new Date(to)).filter(
      ({ why, userIds }) => why !== 'always' && userIds.includes(userId),
    );
    return joined(
      duties.map(({ startsAt, endsAt }) => ({ from: startsAt.getTime(), to: endsAt.getTime() })),
    ).map(({ from: begin, to: end }) => ({
      groupId: group.id,
      group: group.localizedName || group.name,
      from: begin,
      to: end,
    }));
  });
  return shifts.toSorted((one, other) => one.from - other.from);
}

/** A person who stays while the team changes has one shift. */
function joined(periods: readonly Period[]): Period[] {
  const result: Period[] = [];
  for (const period of periods) {
    const last = result.at(-1);
    if (last?.to === period.from) result[result.length - 1] = { from: last.from, to: period.to };
    else result.push(period);
  }
  return result;
}

import type { RosterOverride } from '@tocsin/contract';
import { type Roster, rosterChanges, rosterGaps } from '@tocsin/domain';
import type { Duty } from './days.ts';
import { rosterOf } from './roster-of.ts';

const dayMs = 86_400_000;

/** A time in which a team or some people are on duty, once. */
export type Shift = { readonly from: number; readonly to: number; readonly teamId: number };

/** The shifts of teams in a period, in order. */
export function shiftsOf(duties: readonly Duty[]): Shift[] {
  return duties.flatMap(({ startsAt, endsAt, why, teamIds: [teamId, ...others] }) =>
    teamId === undefined || others.length > 0 || why === 'always'
      ? []
      : [{ from: startsAt.getTime(), to: endsAt.getTime(), teamId }],
  );
}

/** Each team takes the shift of the other. */
export function swapped(one: Shift, other: Shift, reason: string): RosterOverride[] {
  const override = ({ from, to }: Shift, teamId: number) => ({
    teamId,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    ...(reason !== '' && { reason }),
  });
  return [override(one, other.teamId), override(other, one.teamId)];
}

/** A roster with further overrides, after all others. */
export function withOverrides(roster: Roster, overrides: readonly RosterOverride[]): Roster {
  const more = rosterOf({
    userIds: [],
    teams: [],
    roster: { slotMinutes: 60, slots: [], overrides: [...overrides] },
  }).overrides;
  return { ...roster, overrides: [...roster.overrides, ...more] };
}

export type Gap = { readonly from: number; readonly to: number };

/** The times in a period in which nobody is on duty who can be called. */
export function gapsIn(
  roster: Roster,
  zone: string,
  { from, to }: Gap,
  canBeCalled: (userId: number) => boolean,
): Gap[] {
  const days = (to - from) / dayMs;
  return rosterGaps(roster, zone, new Date(from), { days, canBeCalled }).map(({ startsAt, endsAt }) => ({
    from: startsAt.getTime(),
    to: endsAt.getTime(),
  }));
}

/** Who is on duty at an instant, and until when. */
export function dutyAt(roster: Roster, zone: string, at: number): Duty | undefined {
  const days = 7 * (roster.rotation?.weeks ?? 1) + 1;
  return rosterChanges(roster, zone, new Date(at), new Date(at + days * dayMs))[0];
}

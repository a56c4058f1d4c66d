import type { RosterOverride } from './roster.ts';

/** Two overrides, to go after all others: each team takes the stretch that was the other's. */
export function swap(one: RosterOverride, other: RosterOverride): [RosterOverride, RosterOverride] {
  return [
    { ...one, teamId: other.teamId },
    { ...other, teamId: one.teamId },
  ];
}

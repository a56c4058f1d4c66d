import type { RosterOverride } from './roster.ts';

/** Two overrides, to be added after all others: each team takes the other's interval. */
export function swap(one: RosterOverride, other: RosterOverride): [RosterOverride, RosterOverride] {
  return [
    { ...one, teamId: other.teamId },
    { ...other, teamId: one.teamId },
  ];
}

import type { CallGroup, RosterOverride as WireOverride } from '@tocsin/contract';
import type { Leave as DomainLeave, Roster, RosterOverride, RosterSlot } from '@tocsin/domain';

export type LeaveOf = { readonly userId: number; readonly from: string; readonly to: string };

type GroupPart = Pick<CallGroup, 'userIds' | 'teams' | 'roster'>;

const dayMs = 86_400_000;

/** Days counted from 1 January 1970 of `2026-11-16`. */
export const dayOfDate = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

/** `2026-11-16` of days counted from 1 January 1970. */
export const dateOfDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** Minutes from midnight of `hh:mm`. */
export function minuteOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * 60 + minutes;
}

/** `hh:mm` of minutes from midnight. */
export const clockOf = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** The roster of a call group, as the server reads it when it calls. */
export function rosterOf({ userIds, teams, roster }: GroupPart, leaves: readonly LeaveOf[] = []): Roster {
  const { slots, overrides, rotation, holidays = [] } = roster;
  return {
    userIds,
    teams,
    slots: slots.map(toSlot),
    overrides: overrides.map(toOverride),
    ...(rotation && { rotation: { weeks: rotation.weeks, firstDay: dayOfDate(rotation.start) } }),
    holidays: holidays.map(({ date }) => dayOfDate(date)),
    leaves: leaves.map(toLeave),
  };
}

const toSlot = ({ teamId, day, start, end, week }: CallGroup['roster']['slots'][number]): RosterSlot => ({
  teamId,
  day,
  startMinute: minuteOf(start),
  endMinute: minuteOf(end),
  ...(week !== undefined && { week }),
});

const toOverride = (override: WireOverride): RosterOverride => {
  const { teamId = 0, userId = 0, replacesUserId = 0, from, to } = override;
  return {
    teamId,
    ...(userId !== 0 && { userId }),
    ...(replacesUserId !== 0 && { replacesUserId }),
    startsAt: new Date(from),
    endsAt: new Date(to),
  };
};

const toLeave = ({ userId, from, to }: LeaveOf): DomainLeave => ({
  userId,
  startsAt: new Date(from),
  endsAt: new Date(to),
});

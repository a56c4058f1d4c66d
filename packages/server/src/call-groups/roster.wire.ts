import type { CallGroup, Roster, RosterOverride } from '@tocsin/contract';
import { epochSeconds, formatInZone, parseDateTime } from '@tocsin/domain';
import { invalid, unknownReference } from '../common/problem.ts';
import type { CallGroupRecord, CallGroupRow } from './call-group.store.ts';
import type { OverrideRecord, SlotRecord } from './call-group-parts.store.ts';

export const emptyRoster: Roster = { slotMinutes: 60, slots: [], overrides: [] };

type RosterContext = { teamIds: ReadonlySet<number>; timeZone: string };
type Slot = Roster['slots'][number];

type RosterRecord = Pick<
  CallGroupRecord,
  'slotMinutes' | 'slots' | 'overrides' | 'holidays' | 'rotationWeeks' | 'rotationStart'
>;

const noRotation = { weeks: 1, start: '1970-01-05' };

/** The roster of a request, or a problem that names the wrong slot or override. */
export function rosterRecord(
  { slotMinutes, slots, overrides = [], rotation = noRotation, holidays = [] }: Roster,
  { teamIds, timeZone }: RosterContext,
): RosterRecord {
  return {
    slotMinutes,
    slots: slots.map((slot, index) => {
      const pointer = `/roster/slots/${index}`;
      requireTeam(pointer, slot.teamId, teamIds);
      if ((slot.week ?? 1) > rotation.weeks)
        throw invalid(`${pointer}/week`, `must not be after week ${rotation.weeks} of the rotation`);
      return slotRecord(slot, pointer, slotMinutes);
    }),
    overrides: overrides.map((override, index) =>
      overrideRecord(override, `/roster/overrides/${index}`, { teamIds, timeZone }),
    ),
    rotationWeeks: rotation.weeks,
    rotationStart: existingDay(rotation.start, '/roster/rotation/start'),
    holidays: holidays.map(({ date, name = '' }, index) => {
      if (holidays.findIndex((other) => other.date === date) < index)
        throw invalid(`/roster/holidays/${index}/date`, `names ${date} a second time`);
      return { day: existingDay(date, `/roster/holidays/${index}/date`), name };
    }),
  };
}

function existingDay(text: string, pointer: string): string {
  if (!parseDateTime(text, 'UTC')) throw invalid(pointer, `${text} is not a day of the calendar`);
  return text;
}

function requireTeam(pointer: string, teamId: number, teamIds: ReadonlySet<number>): void {
  if (!teamIds.has(teamId)) throw unknownReference(`${pointer}/teamId`, teamId);
}

export function rosterToWire(row: CallGroupRow): CallGroup['roster'] {
  const { slotMinutes, slots, overrides, holidays, rotationWeeks, rotationStart, timeZone } = row;
  return {
    slotMinutes,
    slots: slots.map(slotToWire),
    overrides: overrides.map((override) => overrideToWire(override, timeZone)),
    ...(rotationWeeks > 1 && { rotation: { weeks: rotationWeeks, start: rotationStart } }),
    ...(holidays.length > 0 && { holidays: holidays.map(({ day, name }) => holidayToWire(day, name)) }),
  };
}

function slotToWire({ teamId, day, startMinute, endMinute, week }: SlotRecord): Slot {
  const [start, end] = [clockTime(startMinute), clockTime(endMinute)];
  return { teamId, day, start, end, ...(week !== null && { week }) };
}

const holidayToWire = (date: string, name: string) => ({ date, ...(name !== '' && { name }) });

function overrideToWire(
  { teamId, userId, replacesUserId, startsAt, endsAt, reason }: OverrideRecord,
  timeZone: string,
): RosterOverride {
  return {
    teamId: teamId ?? 0,
    ...(userId !== null && { userId }),
    ...(replacesUserId !== null && { replacesUserId }),
    from: formatInZone(timeZone, startsAt),
    to: formatInZone(timeZone, endsAt),
    ...(reason !== '' && { reason }),
  };
}

function slotRecord(
  { teamId, day, start, end, week }: Slot,
  pointer: string,
  slotMinutes: number,
): SlotRecord {
  const startMinute = minuteOfDay(start);
  const endMinute = minuteOfDay(end);
  if (startMinute % slotMinutes !== 0)
    throw invalid(`${pointer}/start`, `must be a multiple of ${slotMinutes} minutes`);
  if (endMinute % slotMinutes !== 0)
    throw invalid(`${pointer}/end`, `must be a multiple of ${slotMinutes} minutes`);
  if (startMinute >= endMinute) throw invalid(`${pointer}/end`, 'must be after the start');
  return { teamId, day, startMinute, endMinute, week: week ?? null };
}

export function overrideRecord(
  { teamId = 0, userId = 0, replacesUserId = 0, from, to, reason = '' }: RosterOverride,
  pointer: string,
  { teamIds, timeZone }: RosterContext,
): OverrideRecord {
  if (userId === 0) requireTeam(pointer, teamId, teamIds);
  if (userId !== 0 && userId === replacesUserId)
    throw invalid(`${pointer}/replacesUserId`, 'must be somebody else');
  const startsAt = wholeSecond(from, `${pointer}/from`, timeZone);
  const endsAt = wholeSecond(to, `${pointer}/to`, timeZone);
  if (startsAt >= endsAt) throw invalid(`${pointer}/to`, 'must be after from');
  return {
    teamId: userId === 0 ? teamId : null,
    userId: userId || null,
    replacesUserId: replacesUserId || null,
    startsAt,
    endsAt,
    reason,
  };
}

/** Stored in whole seconds, as it is answered, so that a roster can be sent back unchanged. */
function wholeSecond(text: string, pointer: string, timeZone: string): Date {
  const instant = parseDateTime(text, timeZone);
  if (!instant) throw invalid(pointer, 'must be an ISO 8601 date-time');
  return new Date(epochSeconds(instant) * 1_000);
}

function minuteOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function clockTime(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

import type { Roster } from '@tocsin/contract';
import { epochSeconds, formatInZone, parseDateTime } from '@tocsin/domain';
import { invalid, unknownReference } from '../common/problem.ts';
import type { CallGroupRow } from './call-group.store.ts';
import type { OverrideRecord, SlotRecord } from './call-group-parts.store.ts';

export const emptyRoster: Roster = { slotMinutes: 60, slots: [], overrides: [] };

type RosterContext = { teamIds: ReadonlySet<number>; timeZone: string };
type Slot = Roster['slots'][number];
type Override = NonNullable<Roster['overrides']>[number];

/** The roster of a request, or a problem that names the wrong slot or override. */
export function rosterRecord(
  { slotMinutes, slots, overrides = [] }: Roster,
  { teamIds, timeZone }: RosterContext,
): { slotMinutes: Roster['slotMinutes']; slots: SlotRecord[]; overrides: OverrideRecord[] } {
  const requireTeam = (pointer: string, teamId: number) => {
    if (!teamIds.has(teamId)) throw unknownReference(`${pointer}/teamId`, teamId);
  };
  return {
    slotMinutes,
    slots: slots.map((slot, index) => {
      const pointer = `/roster/slots/${index}`;
      requireTeam(pointer, slot.teamId);
      return slotRecord(slot, pointer, slotMinutes);
    }),
    overrides: overrides.map((override, index) => {
      const pointer = `/roster/overrides/${index}`;
      requireTeam(pointer, override.teamId);
      return overrideRecord(override, pointer, timeZone);
    }),
  };
}

export function rosterToWire({ slotMinutes, slots, overrides, timeZone }: CallGroupRow): Required<Roster> {
  return {
    slotMinutes,
    slots: slots.map(({ teamId, day, startMinute, endMinute }) => ({
      teamId,
      day,
      start: clockTime(startMinute),
      end: clockTime(endMinute),
    })),
    overrides: overrides.map(({ teamId, startsAt, endsAt, reason }) => ({
      teamId,
      from: formatInZone(timeZone, startsAt),
      to: formatInZone(timeZone, endsAt),
      ...(reason !== '' && { reason }),
    })),
  };
}

function slotRecord({ teamId, day, start, end }: Slot, pointer: string, slotMinutes: number): SlotRecord {
  const startMinute = minuteOfDay(start);
  const endMinute = minuteOfDay(end);
  if (startMinute % slotMinutes !== 0)
    throw invalid(`${pointer}/start`, `must be a multiple of ${slotMinutes} minutes`);
  if (endMinute % slotMinutes !== 0)
    throw invalid(`${pointer}/end`, `must be a multiple of ${slotMinutes} minutes`);
  if (startMinute >= endMinute) throw invalid(`${pointer}/end`, 'must be after the start');
  return { teamId, day, startMinute, endMinute };
}

function overrideRecord(
  { teamId, from, to, reason = '' }: Override,
  pointer: string,
  timeZone: string,
): OverrideRecord {
  const startsAt = wholeSecond(from, `${pointer}/from`, timeZone);
  const endsAt = wholeSecond(to, `${pointer}/to`, timeZone);
  if (startsAt >= endsAt) throw invalid(`${pointer}/to`, 'must be after from');
  return { teamId, startsAt, endsAt, reason };
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

import type { ShiftNote } from '@tocsin/contract';
import { formatInZone, formatUtc } from '@tocsin/domain';
import type { ShiftNoteRow } from './shift-note.store.ts';

export function toShiftNote(row: ShiftNoteRow): ShiftNote {
  const { id, stationId, startsAt, endsAt, text, author, lastChange, timeZone } = row;
  const outgoing = signature(row.outgoingBy, row.outgoingId, row.outgoingAt, timeZone);
  const incoming = signature(row.incomingBy, row.incomingId, row.incomingAt, timeZone);
  return {
    id,
    stationId: stationId ?? 0,
    from: formatInZone(timeZone, startsAt),
    to: formatInZone(timeZone, endsAt),
    text,
    author,
    ...(outgoing && { outgoing }),
    ...(incoming && { incoming }),
    lastChange: formatUtc(lastChange),
  };
}

function signature(
  user: string | null,
  userId: string | null,
  at: Date | null,
  timeZone: string,
): ShiftNote['outgoing'] {
  if (user === null || userId === null || at === null) return undefined;
  return { user, userId, time: formatInZone(timeZone, at) };
}

import type { SignShiftNote } from '@tocsin/contract';
import { ProblemError } from '../common/problem.ts';
import type { RequestContext } from '../http/collection.ts';
import { requireStation } from '../http/principal.ts';
import { type ShiftNoteRow, updateShiftNote } from './shift-note.store.ts';

/** Signs the note for one of the shifts. A hand-over needs two people, so nobody signs for both. */
export async function signNote(
  { transaction, principal }: RequestContext,
  { id, stationId, outgoingBy, outgoingId, incomingBy }: ShiftNoteRow,
  shift: SignShiftNote['shift'],
): Promise<void> {
  const { name, subject } = principal;
  const { now } = transaction;
  requireStation(principal, stationId);
  if (!subject.startsWith('user:'))
    throw new ProblemError('not-allowed', `${name} is an API key; people sign notes`);
  if (shift === 'outgoing') {
    if (outgoingBy !== null) throw new ProblemError('conflict', `${outgoingBy} has signed it already`);
    return updateShiftNote(transaction, id, { outgoingBy: name, outgoingId: subject, outgoingAt: now });
  }
  if (outgoingBy === null) throw new ProblemError('conflict', 'The outgoing shift has not signed it yet');
  if (incomingBy !== null) throw new ProblemError('conflict', `${incomingBy} has signed it already`);
  if (outgoingId === subject)
    throw new ProblemError(
      'conflict',
      `${name} has signed it for the outgoing shift; somebody else takes over`,
    );
  return updateShiftNote(transaction, id, { incomingBy: name, incomingId: subject, incomingAt: now });
}

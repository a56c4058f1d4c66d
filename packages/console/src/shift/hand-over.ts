import type { ShiftNote } from '@tocsin/contract';
import type { LastSeen } from './shift-search.ts';

/** What is to be done with the notes of the present shift. */
export type HandOver = {
  /** The note that is being written, or waits for its second name. */
  readonly open: ShiftNote | undefined;
  /** The last one that both shifts have signed. */
  readonly last: ShiftNote | undefined;
};

const isDone = ({ outgoing, incoming }: ShiftNote) => outgoing !== undefined && incoming !== undefined;
const signedAt = ({ incoming }: ShiftNote) => Date.parse(incoming?.time ?? '');

/** `notes` are the newest first. An open note that is older than the last hand-over was forgotten, and stays a note. */
export function handOverOf(notes: readonly ShiftNote[]): HandOver {
  const [last] = notes.filter(isDone).toSorted((a, b) => signedAt(b) - signedAt(a));
  const open = notes.find((note) => !isDone(note) && (!last || Date.parse(note.to) > Date.parse(last.to)));
  return { open, last };
}

/** When the user has last put their name under a hand-over, and on which side. */
export function lastSignature(notes: readonly ShiftNote[], userId: number): LastSeen['signed'] {
  const own = `user:${userId}`;
  const signatures = notes.flatMap(({ outgoing, incoming }) => [
    ...(outgoing?.userId === own ? [{ side: 'handedOver' as const, at: Date.parse(outgoing.time) }] : []),
    ...(incoming?.userId === own ? [{ side: 'tookOver' as const, at: Date.parse(incoming.time) }] : []),
  ]);
  return signatures.toSorted((a, b) => b.at - a.at)[0];
}

/** The notes of a time that overlaps a period. */
export const notesIn = (notes: readonly ShiftNote[], from: number, to: number): readonly ShiftNote[] =>
  notes.filter((note) => Date.parse(note.to) > from && Date.parse(note.from) < to);

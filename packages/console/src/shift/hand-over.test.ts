import type { ShiftNote } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { handOverOf, lastSignature, notesIn } from './hand-over.ts';

const at = (time: string) => `2026-11-15T${time}:00+01:00`;
const signature = (id: number, time: string) => ({
  user: `User ${id}`,
  userId: `user:${id}`,
  time: at(time),
});

function note(id: number, [from, to]: readonly [string, string], names: Partial<ShiftNote> = {}): ShiftNote {
  return {
    id,
    stationId: 0,
    from: at(from),
    to: at(to),
    text: 'P302: Ben is on site.',
    author: 'Marc',
    lastChange: '2026-11-15T05:00:00',
    ...names,
  };
}

const morning = note(1, ['00:00', '06:00'], {
  outgoing: signature(1, '05:51'),
  incoming: signature(2, '06:02'),
});
const noon = note(2, ['06:02', '14:00'], { outgoing: signature(2, '13:58') });

test('a note that only the outgoing shift has signed waits for the other one', () => {
  expect(handOverOf([noon, morning])).toEqual({ open: noon, last: morning });
});

test('after both names there is nothing open', () => {
  expect(handOverOf([morning])).toEqual({ open: undefined, last: morning });
  expect(handOverOf([])).toEqual({ open: undefined, last: undefined });
});

test('a note that was forgotten before the last hand-over does not come back', () => {
  const forgotten = note(3, ['00:00', '01:00']);
  expect(handOverOf([morning, forgotten]).open).toBeUndefined();
});

test('the last name that somebody gave counts, on whichever side', () => {
  expect(lastSignature([noon, morning], 2)).toEqual({ side: 'handedOver', at: Date.parse(at('13:58')) });
  expect(lastSignature([morning], 2)).toEqual({ side: 'tookOver', at: Date.parse(at('06:02')) });
  expect(lastSignature([noon, morning], 7)).toBeUndefined();
});

test('notes of a period are those that overlap it', () => {
  const found = notesIn([noon, morning], Date.parse(at('05:00')), Date.parse(at('06:01')));
  expect(found).toEqual([morning]);
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { acknowledge, raise, reset, type Transition } from '../alarm/alarm-lifecycle.ts';
import { stateBits } from '../alarm/alarm-state.ts';
import { mask, unmask } from '../alarm/mask.ts';
import { type AlarmAction, type Entry, newLogBook, writeDown } from '../testing/log-book.ts';

/** A stored alarm: a state, and a history that follows the transitions. */
type Alarm = { state: number; entries: Entry[] };

const actions: fc.Arbitrary<AlarmAction> = fc.oneof(
  fc.record({ kind: fc.constant('raise' as const), transitory: fc.boolean(), reactivatable: fc.boolean() }),
  fc.record({ kind: fc.constant('acknowledge' as const) }),
  fc.record({ kind: fc.constant('reset' as const), autoAcknowledge: fc.boolean() }),
  fc.record({ kind: fc.constant('mask' as const) }),
  fc.record({ kind: fc.constant('unmask' as const) }),
);
const stories = fc.array(actions, { maxLength: 30 });
const otherBits = fc
  .subarray([stateBits.maskedByRule, stateBits.connectionFailure, stateBits.notPolled])
  .map((bits) => bits.reduce((sum, bit) => sum + bit, 0));

function carryOut(alarm: Alarm, action: AlarmAction, now: number): void {
  switch (action.kind) {
    case 'raise':
      return keep(alarm, raise(alarm.state, action), now);
    case 'acknowledge':
      return keep(alarm, acknowledge(alarm.state), now);
    case 'reset':
      return keep(alarm, reset(alarm.state, action), now);
    case 'mask':
      alarm.state = mask(alarm.state);
      return;
    case 'unmask':
      alarm.state = unmask(alarm.state);
  }
}

function keep(alarm: Alarm, transition: Transition, now: number): void {
  const last = alarm.entries.at(-1);
  if (transition.acknowledges) writeOnce(last, 'acknowledged', now);
  if (transition.endsOccurrence) writeOnce(last, 'reset', now);
  if (transition.startsOccurrence) {
    alarm.entries.push({ raised: now, ...(transition.momentary && { reset: now }) });
  }
  alarm.state = transition.state;
}

function writeOnce(entry: Entry | undefined, time: 'acknowledged' | 'reset', now: number): void {
  if (!entry) throw new Error(`${time}, but never raised`);
  if (entry[time] !== undefined) throw new Error(`${time} twice`);
  entry[time] = now;
}

test('whatever happens to an alarm, its state and its history agree with the log book', () => {
  fc.assert(
    fc.property(stories, otherBits, (story, bits) => {
      const book = newLogBook();
      const alarm: Alarm = { state: bits, entries: [] };

      for (const [now, action] of story.entries()) {
        writeDown(book, action, now);
        carryOut(alarm, action, now);
        const told = (book.active ? 1 : 0) + (book.acknowledged ? 0 : 2) + (book.masked ? 4 : 0);
        expect(alarm.state).toBe(bits + told);
      }
      expect(alarm.entries).toEqual(book.entries);
    }),
    { numRuns: 3_000 },
  );
});

test('only the last occurrence of an alarm is ever open, and only while the alarm is active', () => {
  fc.assert(
    fc.property(stories, (story) => {
      const alarm: Alarm = { state: 0, entries: [] };
      for (const [now, action] of story.entries()) carryOut(alarm, action, now);

      const open = alarm.entries.filter((entry) => entry.reset === undefined);
      expect(open).toEqual(alarm.state & stateBits.active ? alarm.entries.slice(-1) : []);
    }),
    { numRuns: 2_000 },
  );
});

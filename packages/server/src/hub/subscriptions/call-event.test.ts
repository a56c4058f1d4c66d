import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CallEventsPosition, positionAfter } from './call-event.ts';

type Row = { id: number; transactionId: number };

/** Transactions that begin in the order of their numbers and commit in any order, each with some call events. */
const plant = fc.record({
  transactions: fc.array(fc.record({ callEvents: fc.nat(5), commitsAfter: fc.nat(8) }), {
    minLength: 1,
    maxLength: 20,
  }),
  pageSize: fc.integer({ min: 1, max: 6 }),
});

test('each call event is read once, in whatever order transactions commit', () => {
  fc.assert(
    fc.property(plant, ({ transactions, pageSize }) => {
      let ids = 0;
      const writers = transactions.map(({ callEvents, commitsAfter }, index) => ({
        number: 100 + index,
        begins: index,
        commits: index + commitsAfter,
        rows: Array.from({ length: callEvents }, (): Row => ({ id: (ids += 1), transactionId: 100 + index })),
      }));
      const end = Math.max(...writers.map(({ commits }) => commits)) + 2;
      const read: number[] = [];
      let position: CallEventsPosition = { since: 100, known: new Map() };
      for (let moment = 0; moment <= end; moment++) {
        const running = writers.filter(({ begins, commits }) => begins <= moment && commits > moment);
        const begun = writers.filter(({ begins }) => begins <= moment).length;
        const oldest = Math.min(100 + begun, ...running.map(({ number }) => number));
        const visible = writers.filter(({ commits }) => commits <= moment).flatMap(({ rows }) => rows);
        for (let isFull = true; isFull; ) {
          const page = visible
            .filter(({ id, transactionId }) => transactionId >= position.since && !position.known.has(id))
            .slice(0, pageSize);
          isFull = page.length === pageSize;
          read.push(...page.map(({ id }) => id));
          position = positionAfter(position, page, { oldest, isFull });
        }
      }
      expect(read.toSorted((a, b) => a - b)).toEqual(Array.from({ length: ids }, (_, index) => index + 1));
      expect(position.known.size, 'nothing is remembered for ever').toBe(0);
    }),
  );
});

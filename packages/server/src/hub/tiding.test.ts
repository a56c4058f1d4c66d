import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeAfter, type TidingsPlace } from './tiding.ts';

type Row = { id: number; writtenBy: number };

/** Transactions that begin in the order of their numbers and commit in any order, each with some tidings. */
const plant = fc.record({
  transactions: fc.array(fc.record({ tidings: fc.nat(5), commitsAfter: fc.nat(8) }), {
    minLength: 1,
    maxLength: 20,
  }),
  pageSize: fc.integer({ min: 1, max: 6 }),
});

test('each tiding is told once, whatever the order in which transactions commit', () => {
  fc.assert(
    fc.property(plant, ({ transactions, pageSize }) => {
      let ids = 0;
      const writers = transactions.map(({ tidings, commitsAfter }, index) => ({
        number: 100 + index,
        begins: index,
        commits: index + commitsAfter,
        rows: Array.from({ length: tidings }, (): Row => ({ id: (ids += 1), writtenBy: 100 + index })),
      }));
      const end = Math.max(...writers.map(({ commits }) => commits)) + 2;
      const told: number[] = [];
      let place: TidingsPlace = { since: 100, known: new Map() };
      for (let moment = 0; moment <= end; moment++) {
        const running = writers.filter(({ begins, commits }) => begins <= moment && commits > moment);
        const begun = writers.filter(({ begins }) => begins <= moment).length;
        const oldest = Math.min(100 + begun, ...running.map(({ number }) => number));
        const visible = writers.filter(({ commits }) => commits <= moment).flatMap(({ rows }) => rows);
        for (let isFull = true; isFull; ) {
          const page = visible
            .filter(({ id, writtenBy }) => writtenBy >= place.since && !place.known.has(id))
            .slice(0, pageSize);
          isFull = page.length === pageSize;
          told.push(...page.map(({ id }) => id));
          place = placeAfter(place, page, { oldest, isFull });
        }
      }
      expect(told.toSorted((a, b) => a - b)).toEqual(Array.from({ length: ids }, (_, index) => index + 1));
      expect(place.known.size, 'nothing is remembered for ever').toBe(0);
    }),
  );
});

import * as fc from 'fast-check';
import { expect } from 'vitest';
import { test } from '../testing/plant.fixture.ts';
import { rowSource } from './row-source.ts';
import { inTenant } from './tenant-transaction.ts';

type Row = {
  number: number | null;
  small: number | null;
  words: string | null;
  flag: boolean | null;
  at: Date | null;
  facts: { said: string } | null;
  ids: number[];
};

const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null, freq: 5 });
const words = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'NULL', '{"\\', "'", '\u0001 ü 火 🔥'),
);
const sendable = words.map((text) => text.replaceAll('\u0000', '').toWellFormed());

const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    number: orNull(fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -1, 2 ** 32, -(2 ** 32), 2 ** 53 - 1))),
    small: orNull(fc.integer()),
    words: orNull(sendable),
    flag: orNull(fc.boolean()),
    at: orNull(fc.date({ min: new Date('0001-01-02Z'), max: new Date('9999-01-01Z'), noInvalidDate: true })),
    facts: orNull(sendable.map((said) => ({ said }))),
    ids: fc.array(fc.nat(), { maxLength: 3 }),
  }),
  { maxLength: 6 },
);

const source = rowSource<Row>(
  [
    { name: 'number', type: 'bigint', of: ({ number }) => number },
    { name: 'small', type: 'integer', of: ({ small }) => small },
    { name: 'words', type: 'text', of: (row) => row.words },
    { name: 'flag', type: 'boolean', of: ({ flag }) => flag },
    { name: 'at', type: 'timestamptz', of: ({ at }) => at },
    { name: 'facts', type: 'text', as: 'jsonb', of: ({ facts }) => facts && JSON.stringify(facts) },
    { name: 'ids', type: 'text', as: 'bigint[]', of: ({ ids }) => `{${ids.join(',')}}` },
  ],
  2,
);

test('rows arrive in the database as they were sent, in their order', async ({ runtime }) => {
  await inTenant(runtime.database, 1, async ({ client }) => {
    await fc.assert(
      fc.asyncProperty(rows, async (sent) => {
        const { rows: arrived } = await client.query({
          name: 'send-rows',
          text: `select $1::text as "for", r.number, r.small, r.words, r.flag, to_json(extract(epoch from r.at) * 1000) as at,
                   r.facts::jsonb as facts, r.ids::bigint[] as ids from ${source.source}`,
          values: ['test', ...source.parameters(sent)],
        });
        expect(arrived).toEqual(sent.map((row) => ({ ...row, for: 'test', at: row.at && row.at.getTime() })));
      }),
      { numRuns: 200 },
    );
    expect(source.names).toBe('number, small, words, flag, at, facts, ids');
    expect(source.values).toContain('r.facts::jsonb, r.ids::bigint[]');
  });
});

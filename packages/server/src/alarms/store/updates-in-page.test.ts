import { expect } from 'vitest';
import { test } from '../../testing/plant.fixture.ts';

/** Columns that an alarm changes from its raise to its end, and that PostgreSQL looks at before it updates a row in its page. */
const changed = {
  alarms: ['state', 'value', 'raised_at', 'last_change', 'occurrence_id', 'repeats', 'ack_user', 'raised_by'],
  occurrences: ['acknowledged_at', 'ack_user_id', 'reset_at', 'repeats'],
};

test.for(Object.entries(changed))(
  'no index of %s has a column that changes while an alarm lasts',
  async ([table, columns], { runtime }) => {
    const { rows } = await runtime.database.pool.query<{ index: string; definition: string }>(
      `select i.indexrelid::regclass::text as index, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i where i.indrelid = $1::regclass`,
      [table],
    );
    expect(rows).not.toEqual([]);
    const indexed = ({ definition }: { definition: string }) =>
      columns.some((column) => new RegExp(`\\b${column}\\b`).test(definition.replace(/^.* USING/, '')));
    expect(rows.filter(indexed)).toEqual([]);
  },
);

import { queryDatabase } from './query-database.ts';

/** The sums that histories are read from. */
const sums = [
  'text_months',
  'text_totals',
  'tag_years',
  'user_days',
  'user_hours',
  'station_days',
  'group_days',
  'chatter_days',
  'tag_raises',
];

/**
 * Makes the database discard all rows of sums. The remaining cost, adding up within a batch and an empty function call for
 * each row (under 2 µs), slows the reference, in our favour by one or two percent.
 */
export async function discardSums(databaseUrl: string): Promise<void> {
  const triggers = sums.map(
    (table) =>
      `create trigger discard before insert on ${table} for each row execute function discard_row();`,
  );
  await queryDatabase(
    databaseUrl,
    `create function discard_row() returns trigger language plpgsql as 'begin return null; end';
     create or replace function daily_values(day integer, amount bigint) returns bigint[]
       language sql immutable parallel safe return '{}'::bigint[];
     ${triggers.join('\n')}
     drop trigger count_new_occurrences on occurrences;
     drop trigger count_changed_occurrences on occurrences;`,
  );
}

type Counted = { rows: number; occurrences: number; summed: number };

/** Throws unless the sums were kept, or were not, as they should be. */
export async function checkSums(databaseUrl: string, kept: boolean): Promise<void> {
  const rows = sums.map((table) => `(select count(*) from ${table})`).join(' + ');
  const [found] = await queryDatabase<Counted>(
    databaseUrl,
    `select (${rows})::integer as rows, (select count(*) from occurrences)::integer as occurrences,
       (select coalesce(sum(occurrences), 0) from text_totals)::integer as summed`,
  );
  const right = kept ? found?.summed === found?.occurrences : found?.rows === 0;
  if (!found?.occurrences || !right)
    throw new Error(
      `the sums are not as they should be (${kept ? 'kept' : 'discarded'}): ${JSON.stringify(found)}`,
    );
}

import { type RawBuilder, sql } from 'kysely';
import { partialMonths, type WholeDays } from './calendar.ts';
import { isPicked } from './occurrence-filter.store.ts';
import type { OccurrenceScope } from './occurrence-scope.store.ts';

/** `text_months m` within whole days: what to add up of a column, and the rows to add. */
export function monthSums(
  days: WholeDays,
  { texts }: OccurrenceScope,
): { occurrences: RawBuilder<number>; seconds: RawBuilder<number>; where: RawBuilder<unknown> } {
  const ofTexts = texts ? isPicked('m.text_id', texts) : sql`true`;
  return {
    occurrences: inDays(days, 'occurrences'),
    seconds: inDays(days, 'seconds'),
    where: sql`m.month between ${days.first.month} and ${days.last.month} and ${ofTexts}`,
  };
}

/** The whole month's number, or that of some of its days in a month that is cut. */
function inDays(days: WholeDays, column: 'occurrences' | 'seconds'): RawBuilder<number> {
  const whole = sql.ref(`m.${column}`);
  const list = sql.ref(`m.${column}_on`);
  const cases = partialMonths(days).map(
    ({ month, from, to }) =>
      sql`when ${month}::integer then (select sum(d) from unnest(${list}[${from}::integer:${to}::integer]) d)`,
  );
  return cases.length === 0 ? sql`${whole}` : sql`case m.month ${sql.join(cases, sql` `)} else ${whole} end`;
}

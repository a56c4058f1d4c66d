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
    where: sql`${withinMonths(days)} and ${ofTexts}`,
  };
}

/** So many months at most are named one by one, which lets an index find a tag in each of them. */
const fewMonths = 120;

function withinMonths({ first, last }: WholeDays): RawBuilder<boolean> {
  if (last.month - first.month >= fewMonths) return sql`m.month between ${first.month} and ${last.month}`;
  const months = Array.from({ length: last.month - first.month + 1 }, (_, step) => first.month + step);
  return sql`m.month = any (${months}::integer[])`;
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

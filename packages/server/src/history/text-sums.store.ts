import { type RawBuilder, sql } from 'kysely';
import { partialMonths, type WholeDays } from './calendar.ts';
import { isMatchingText } from './occurrence-filter.store.ts';
import type { SumScope } from './occurrence-scope.store.ts';

/** Sums from `text_months m` over whole days: the expressions to add up, and the rows to read. */
export function monthSums(
  days: WholeDays,
  { texts }: SumScope,
): { occurrences: RawBuilder<number>; seconds: RawBuilder<number>; where: RawBuilder<unknown> } {
  const ofTexts = texts ? isMatchingText('m.text_id', texts) : sql`true`;
  return {
    occurrences: inDays(days, 'occurrences'),
    seconds: inDays(days, 'seconds'),
    where: sql`${withinMonths(days)} and ${ofTexts}`,
  };
}

/** Up to this many months are listed one by one, so that an index finds a tag in each of them. */
const maxListedMonths = 120;

function withinMonths({ first, last }: WholeDays): RawBuilder<boolean> {
  if (last.month - first.month >= maxListedMonths)
    return sql`m.month between ${first.month} and ${last.month}`;
  const months = Array.from({ length: last.month - first.month + 1 }, (_, step) => first.month + step);
  return sql`m.month = any (${months}::integer[])`;
}

/** The number of the whole month, or of some of its days in a partial month. */
function inDays(days: WholeDays, column: 'occurrences' | 'seconds'): RawBuilder<number> {
  const whole = sql.ref(`m.${column}`);
  const list = sql.ref(`m.${column}_by_day`);
  const cases = partialMonths(days).map(
    ({ month, from, to }) => sql`when ${month}::integer then ${sumOfPlaces(list, from, to)}`,
  );
  return cases.length === 0 ? sql`${whole}` : sql`case m.month ${sql.join(cases, sql` `)} else ${whole} end`;
}

/** Adds up some places of an array. Far quicker for thousands of rows than a subquery that unnests each array. */
function sumOfPlaces(list: RawBuilder<unknown>, from: number, to: number): RawBuilder<number> {
  const places = Array.from({ length: to - from + 1 }, (_, step) => sql`${list}[${sql.lit(from + step)}]`);
  return sql<number>`(${sql.join(places, sql` + `)})`;
}

import { searchTerms } from '@tocsin/domain';
import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a column that holds a search text has all terms of what the user typed. Plain substring tests: no
 * input is a wildcard, a pattern or a syntax error.
 */
export function searchMatches(column: string, search: string | undefined): RawBuilder<boolean> {
  return searchTermsIn([column], search);
}

/** As `searchMatches`, where each term may be in any of the columns. */
export function searchTermsIn(columns: readonly string[], search: string | undefined): RawBuilder<boolean> {
  const terms = searchTerms(search ?? '');
  if (terms.length === 0) return sql<boolean>`true`;
  const lacking = columns.map((column) => sql`strpos(${sql.ref(column)}, wanted.term) = 0`);
  return sql<boolean>`not exists (select 1 from unnest(${terms}::text[]) as wanted(term)
    where ${sql.join(lacking, sql` and `)})`;
}

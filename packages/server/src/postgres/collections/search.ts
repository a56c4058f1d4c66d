import { searchTerms } from '@tocsin/domain';
import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a column with a search text contains all terms that the user typed. These are plain substring tests: no input
 * is a wildcard, a pattern or a syntax error.
 */
export function searchMatches(column: string, search: string | undefined): RawBuilder<boolean> {
  return searchTermsIn([column], search);
}

/** Up to this many terms are tested one by one; more of them, such as a pasted text, are tested as a list. */
const maxSingleTerms = 16;

/** As `searchMatches`, where each term may be in any of the columns. */
export function searchTermsIn(columns: readonly string[], search: string | undefined): RawBuilder<boolean> {
  const terms = searchTerms(search ?? '');
  if (terms.length === 0) return sql<boolean>`true`;
  const found = (term: RawBuilder<unknown>) =>
    sql`(${sql.join(
      columns.map((column) => sql`strpos(${sql.ref(column)}, ${term}) > 0`),
      sql` or `,
    )})`;
  if (terms.length <= maxSingleTerms) {
    return sql<boolean>`(${sql.join(
      terms.map((term) => found(sql`${term}`)),
      sql` and `,
    )})`;
  }
  return sql<boolean>`not exists (select 1 from unnest(${terms}::text[]) as wanted(term)
    where not ${found(sql`wanted.term`)})`;
}

import type { PageRequest } from '../../http/page.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { narrowToDays, timelineOpener } from '../deep-page.ts';
import { listOccurrences, type OccurrenceRow } from '../history.store.ts';
import type { OccurrenceScope } from '../occurrence-scope.store.ts';

/** The rows of a page as a deep page is read, however deep it is; undefined if the scope has no sums, or the page no rows. */
export async function readAsDeepPage(
  transaction: TenantTransaction,
  scope: OccurrenceScope,
  { page, total }: { page: PageRequest; total: number },
): Promise<OccurrenceRow[] | undefined> {
  const { texts, userId } = scope;
  const hasSums = (texts === undefined) !== (userId === undefined);
  if (!hasSums || page.limit === 0 || page.offset >= total) return undefined;
  const timeline = await timelineOpener(transaction, scope)();
  const narrow = await narrowToDays(transaction, timeline, { scope, page, total });
  return listOccurrences(transaction, narrow.scope, narrow.page);
}

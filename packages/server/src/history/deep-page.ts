import type { PageRequest } from '../http/page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { dayOf, midnight } from './calendar.ts';
import { countRaisedIn } from './count-occurrences.store.ts';
import type { MatchingTexts } from './occurrence-filter.store.ts';
import type { OccurrenceScope } from './occurrence-scope.store.ts';
import { findSpan } from './span.store.ts';
import { openTextTimeline } from './text-timeline.store.ts';
import type { OpenTimeline, Timeline } from './timeline.ts';
import { openUserTimeline } from './user-timeline.store.ts';

/** Opens the timeline of the scope when it is needed, and once at most. Scopes of some texts and a user have none. */
export function timelineOpener(
  transaction: TenantTransaction,
  { texts, userId }: OccurrenceScope,
): OpenTimeline {
  let opened: Promise<Timeline> | undefined;
  return () => {
    if (texts && userId === undefined) opened ??= openTextTimeline(transaction, texts);
    if (!texts && userId !== undefined) opened ??= openUserTimeline(transaction, userId);
    if (!opened) throw new Error('there are no sums for this scope');
    return opened;
  };
}

/** Finding the days of a page takes as long as reading so many rows. */
const rowsOfNarrowing = 20_000;

/**
 * Whether so many rows before the page would have to be read that finding its days is quicker. The days of a user are known
 * anyway if there is no period.
 */
export function isDeep({ texts, userId, hasPeriod, months }: OccurrenceScope, page: PageRequest): boolean {
  const end = page.offset + page.limit;
  if (userId !== undefined) return !texts && (!hasPeriod || end > rowsOfNarrowing);
  if (!texts || texts.ofSpan) return false;
  // Each text is looked up in each month.
  const lookUps = texts.ids.length * (months.last - months.first + 1);
  const rowsOfTexts = lookUps + Math.min(texts.ids.length * end, texts.occurrences);
  return Math.min(rowsToScan(texts, page), rowsOfTexts) > rowsOfNarrowing;
}

/** Twice the number of rows among which the page is, if the texts are spread evenly. */
export function rowsToScan(texts: MatchingTexts, { offset, limit }: PageRequest): number {
  const kept = Math.max(1, texts.occurrences) / texts.occurrencesOfAll;
  return Math.ceil(100 + (2 * (offset + limit)) / kept);
}

export type ScopeAndPage = { scope: OccurrenceScope; page: PageRequest };

const dayMs = 86_400_000;

/**
 * The days of a page of a filtered history, and the place of the page in them: rows of other days need not be read to be
 * skipped. The page has rows; `total` is the number of occurrences in scope.
 */
export async function narrowToDays(
  transaction: TenantTransaction,
  timeline: Timeline,
  { scope, page, total }: ScopeAndPage & { total: number },
): Promise<ScopeAndPage> {
  const start = await positionOf(transaction, timeline, scope);
  const end = start + total;
  const first = page.descending ? Math.max(start, end - page.offset - page.limit) : start + page.offset;
  const last = page.descending ? end - page.offset - 1 : Math.min(end, first + page.limit) - 1;
  const [firstDay, lastDay] = [await timeline.dayAt(first), await timeline.dayAt(last)];
  if (!firstDay || !lastDay) return { scope, page };
  const period = { from: midnight(firstDay.day), to: new Date(midnight(lastDay.day).getTime() + dayMs) };
  const span = await findSpan(transaction, period, undefined);
  const offset = page.descending
    ? Math.min(end, lastDay.before + lastDay.occurrences) - last - 1
    : first - Math.max(start, firstDay.before);
  return {
    scope: {
      ...scope,
      first: Math.max(scope.first, span.first),
      last: Math.min(scope.last, span.last),
      months: span.months,
    },
    page: { ...page, offset },
  };
}

/** The position of the first occurrence in scope. */
async function positionOf(
  transaction: TenantTransaction,
  timeline: Timeline,
  scope: OccurrenceScope,
): Promise<number> {
  const { from } = scope;
  if (!from) return 0;
  const day = dayOf(from);
  const before = await timeline.before(day);
  return before + (await countRaisedIn(transaction, scope, [midnight(day), from]));
}

import { timingSafeEqual } from 'node:crypto';
import { readCallDirectory } from '../escalations/call-directory.store.ts';
import { sha256 } from '../identity/tokens/secret.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type CalendarSecret, findCalendarSecret, recordCalendarUse } from './calendar.store.ts';
import { readCalendarToken } from './calendar-token.ts';
import { groupEvents, personEvents } from './duty-calendar.ts';
import { writeCalendar } from './icalendar.ts';

/** What the address of a calendar names. */
export type CalendarOf = { readonly userId: number } | { readonly callGroupId: number };

const recordUseSeconds = 60;

/** The calendar of an address; undefined if its token is not valid for it, whatever the reason. */
export async function readCalendar(
  { database }: Runtime,
  token: string,
  of: CalendarOf,
): Promise<string | undefined> {
  const parts = readCalendarToken(token);
  if (!parts) return undefined;
  return inTenant(database, parts.tenantId, async (transaction) => {
    const row = await findCalendarSecret(transaction, parts.id);
    if (!row || !timingSafeEqual(sha256(parts.secret), row.secretHash) || !isOf(row, of)) return undefined;
    const text = await calendarText(transaction, row);
    if (text !== undefined) await recordCalendarUse(transaction, row.id, recordUseSeconds);
    return text;
  });
}

function isOf({ userId, callGroupId }: CalendarSecret, of: CalendarOf): boolean {
  if ('callGroupId' in of) return callGroupId === of.callGroupId;
  return callGroupId === null && userId === of.userId;
}

/** Of a group only as long as its owner may see the group. */
async function calendarText(
  transaction: TenantTransaction,
  { userId, callGroupId, stationIds }: CalendarSecret,
): Promise<string | undefined> {
  const directory = await readCallDirectory(transaction);
  if (callGroupId === null) {
    const name = directory.people.get(userId)?.name ?? '';
    return writeCalendar(
      `On duty: ${name}`,
      personEvents(directory, userId, transaction.now),
      transaction.now,
    );
  }
  const group = directory.groups.get(callGroupId);
  const isVisible =
    stationIds.length === 0 || group?.stationId === 0 || stationIds.includes(group?.stationId ?? 0);
  if (!group || !isVisible) return undefined;
  return writeCalendar(group.name, groupEvents(directory, group, transaction.now), transaction.now);
}

import { addSeconds } from '@tocsin/domain';
import { sql } from 'kysely';
import type { PageBounds, PageOfRows } from '../postgres/collections/read-page.ts';
import { nextId } from '../postgres/next-id.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type CalendarRow = {
  id: number;
  userId: number;
  /** Null: the duties of the person. */
  callGroupId: number | null;
  createdAt: Date;
  lastUsedAt: Date | null;
};

const columns = ['id', 'userId', 'callGroupId', 'createdAt', 'lastUsedAt'] as const;

function calendarsOf(transaction: TenantTransaction, userId: number) {
  return transaction
    .selectFrom('calendarFeeds')
    .where('tenantId', '=', transaction.tenantId)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null);
}

/** The calendars of a user that are not revoked. */
export async function listCalendars(
  transaction: TenantTransaction,
  userId: number,
  { offset, limit, descending }: PageBounds,
): Promise<PageOfRows<CalendarRow>> {
  const query = calendarsOf(transaction, userId);
  const { total } = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const direction = descending ? 'desc' : 'asc';
  const rows = await query.select(columns).orderBy('id', direction).offset(offset).limit(limit).execute();
  return { rows, total };
}

export async function insertCalendar(
  transaction: TenantTransaction,
  calendar: { userId: number; callGroupId: number | null; secretHash: Buffer },
): Promise<CalendarRow> {
  const { tenantId, now } = transaction;
  return transaction
    .insertInto('calendarFeeds')
    .values({ tenantId, id: await nextId(transaction, 'calendar'), ...calendar, createdAt: now })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** The calendar as it was, or undefined if the user has no such one. */
export async function revokeCalendar(
  transaction: TenantTransaction,
  { id, userId }: { id: number; userId: number },
): Promise<CalendarRow | undefined> {
  return transaction
    .updateTable('calendarFeeds')
    .set({ revokedAt: transaction.now })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .returning(columns)
    .executeTakeFirst();
}

export type CalendarSecret = CalendarRow & { secretHash: Buffer; stationIds: number[] };

/** A calendar that is not revoked and whose owner is enabled, with the hash of its secret. */
export async function findCalendarSecret(
  transaction: TenantTransaction,
  id: number,
): Promise<CalendarSecret | undefined> {
  const { rows } = await sql<CalendarSecret>`
    select c.id, c.user_id as "userId", c.call_group_id as "callGroupId", c.created_at as "createdAt",
      c.last_used_at as "lastUsedAt", c.secret_hash as "secretHash", u.station_ids as "stationIds"
    from calendar_feeds c join users u on u.tenant_id = c.tenant_id and u.id = c.user_id
    where c.tenant_id = ${transaction.tenantId} and c.id = ${id} and c.revoked_at is null and u.enabled`.execute(
    transaction,
  );
  return rows[0];
}

/** Records the use of the calendar, at most once in `seconds`. */
export async function recordCalendarUse(
  transaction: TenantTransaction,
  id: number,
  seconds: number,
): Promise<void> {
  const { tenantId, now } = transaction;
  await transaction
    .updateTable('calendarFeeds')
    .set({ lastUsedAt: now })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<=', addSeconds(now, -seconds))]))
    .execute();
}

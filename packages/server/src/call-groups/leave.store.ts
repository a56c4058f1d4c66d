import { sql } from 'kysely';
import { equalsIfGiven, userInScope } from '../postgres/collections/filters.ts';
import type { PageBounds, PageOfRows } from '../postgres/collections/read-page.ts';
import type { StationScope } from '../postgres/collections/visibility.ts';
import { nextId } from '../postgres/next-id.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type LeaveRecord = { userId: number; startsAt: Date; endsAt: Date };

export type LeaveRow = LeaveRecord & {
  id: number;
  user: string;
  timeZone: string;
  version: number;
  lastChange: Date;
};

export type LeaveFilter = StationScope & {
  userId?: number | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

const columns = [
  'id',
  'userId',
  'startsAt',
  'endsAt',
  'version',
  'lastChange',
  sql<string>`(select u.name from users u where u.tenant_id = leaves.tenant_id and u.id = leaves.user_id)`.as(
    'user',
  ),
  sql<string>`coalesce(
    (select s.time_zone from stations s where s.tenant_id = leaves.tenant_id order by s.id limit 1), 'UTC')`.as(
    'timeZone',
  ),
] as const;

function visibleLeaves(transaction: TenantTransaction, { stationIds }: StationScope) {
  const people = sql<boolean>`user_id in
    (select id from users where tenant_id = ${transaction.tenantId} and ${userInScope(stationIds)})`;
  return transaction.selectFrom('leaves').where('tenantId', '=', transaction.tenantId).where(people);
}

/** Leaves of a time that overlaps the period, in the order in which they begin. */
export async function listLeaves(
  transaction: TenantTransaction,
  { from, to, userId, stationIds }: LeaveFilter,
  { offset, limit, descending }: PageBounds,
): Promise<PageOfRows<LeaveRow>> {
  let query = visibleLeaves(transaction, { stationIds }).where(equalsIfGiven('userId', userId));
  if (from) query = query.where('endsAt', '>', from);
  if (to) query = query.where('startsAt', '<', to);
  const { total } = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const direction = descending ? 'desc' : 'asc';
  const rows = await query
    .select(columns)
    .orderBy('startsAt', direction)
    .orderBy('id', direction)
    .offset(offset)
    .limit(limit)
    .execute();
  return { rows, total };
}

export async function findLeave(
  transaction: TenantTransaction,
  id: number,
  { forUpdate, ...scope }: StationScope & { forUpdate: boolean },
): Promise<LeaveRow | undefined> {
  const query = visibleLeaves(transaction, scope).select(columns).where('id', '=', id);
  return (forUpdate ? query.forUpdate() : query).executeTakeFirst();
}

export async function insertLeave(transaction: TenantTransaction, leave: LeaveRecord): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'leave');
  await transaction
    .insertInto('leaves')
    .values({ tenantId, id, ...leave, lastChange: now })
    .execute();
  return id;
}

export async function updateLeave(
  transaction: TenantTransaction,
  id: number,
  leave: LeaveRecord,
): Promise<void> {
  await transaction
    .updateTable('leaves')
    .set(({ eb }) => ({ ...leave, version: eb('version', '+', 1), lastChange: transaction.now }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function deleteLeave(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .deleteFrom('leaves')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

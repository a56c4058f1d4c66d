import { sql } from 'kysely';
import type { Period } from '../history/period.ts';
import { equalsIfGiven, stationInScope } from '../postgres/collections/filters.ts';
import type { PageBounds, PageOfRows } from '../postgres/collections/read-page.ts';
import type { StationScope } from '../postgres/collections/visibility.ts';
import { nextId } from '../postgres/next-id.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** A note as it is written. */
export type ShiftNoteRecord = {
  stationId: number | null;
  startsAt: Date;
  endsAt: Date;
  text: string;
  author: string;
};

export type ShiftNoteRow = ShiftNoteRecord & {
  id: number;
  outgoingBy: string | null;
  outgoingId: string | null;
  outgoingAt: Date | null;
  incomingBy: string | null;
  incomingId: string | null;
  incomingAt: Date | null;
  version: number;
  lastChange: Date;
  timeZone: string;
};

export type ShiftNoteFilter = StationScope & Period & { stationId?: number | undefined };

const columns = [
  'id',
  'stationId',
  'startsAt',
  'endsAt',
  'text',
  'author',
  'outgoingBy',
  'outgoingId',
  'outgoingAt',
  'incomingBy',
  'incomingId',
  'incomingAt',
  'version',
  'lastChange',
  sql<string>`coalesce(
    (select s.time_zone from stations s where s.tenant_id = shift_notes.tenant_id
     order by s.id = shift_notes.station_id desc nulls last, s.id limit 1), 'UTC')`.as('timeZone'),
] as const;

function visibleNotes(transaction: TenantTransaction, { stationIds }: StationScope) {
  return transaction
    .selectFrom('shiftNotes')
    .where('tenantId', '=', transaction.tenantId)
    .where(stationInScope('stationId', stationIds));
}

/** Notes of a time that overlaps the period, in the order in which they begin. */
export async function listShiftNotes(
  transaction: TenantTransaction,
  { from, to, stationId, stationIds }: ShiftNoteFilter,
  { offset, limit, descending }: PageBounds,
): Promise<PageOfRows<ShiftNoteRow>> {
  let query = visibleNotes(transaction, { stationIds }).where(equalsIfGiven('stationId', stationId));
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

export async function findShiftNote(
  transaction: TenantTransaction,
  id: number,
  { forUpdate, ...scope }: StationScope & { forUpdate: boolean },
): Promise<ShiftNoteRow | undefined> {
  const query = visibleNotes(transaction, scope).select(columns).where('id', '=', id);
  return (forUpdate ? query.forUpdate() : query).executeTakeFirst();
}

export async function insertShiftNote(
  transaction: TenantTransaction,
  note: ShiftNoteRecord,
): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'shift-note');
  await transaction
    .insertInto('shiftNotes')
    .values({ tenantId, id, ...note, lastChange: now })
    .execute();
  return id;
}

type Signature<Side extends 'outgoing' | 'incoming'> = { [Part in `${Side}${'By' | 'Id'}`]: string } & {
  [Part in `${Side}At`]: Date;
};

/** The database refuses any other change of a signed note. */
export async function updateShiftNote(
  transaction: TenantTransaction,
  id: number,
  change: ShiftNoteRecord | Signature<'outgoing'> | Signature<'incoming'>,
): Promise<void> {
  await transaction
    .updateTable('shiftNotes')
    .set(({ eb }) => ({ ...change, version: eb('version', '+', 1), lastChange: transaction.now }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function deleteShiftNote(transaction: TenantTransaction, id: number): Promise<void> {
  await transaction
    .deleteFrom('shiftNotes')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .execute();
}

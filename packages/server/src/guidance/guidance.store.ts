import type { Guidance, GuidanceObject } from '@tocsin/contract';
import { sql } from 'kysely';
import { type PageBounds, type PageOfRows } from '../postgres/collections/read-page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** What guidance is written for. */
export type GuidanceTarget = { object: GuidanceObject; id: number };

export type GuidanceRow = Guidance & {
  version: number;
  /** A deletion has no texts. */
  state: 'current' | 'replaced' | 'deletion';
  author: string;
  authorId: string;
  writtenAt: Date;
};

const columns = [
  'version',
  sql<GuidanceRow['state']>`state`.as('state'),
  'steps',
  'cause',
  'consequence',
  'contacts',
  'files',
  'respondSeconds',
  'author',
  'authorId',
  'writtenAt',
] as const;

function versionsOf(transaction: TenantTransaction, { object, id }: GuidanceTarget) {
  return transaction
    .selectFrom('guidance')
    .where('tenantId', '=', transaction.tenantId)
    .where('object', '=', object)
    .where('objectId', '=', id);
}

/** The newest version, which can be a deletion. */
export async function findNewestGuidance(
  transaction: TenantTransaction,
  target: GuidanceTarget,
): Promise<GuidanceRow | undefined> {
  return versionsOf(transaction, target)
    .select(columns)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** All versions, the newest first. */
export async function listGuidanceVersions(
  transaction: TenantTransaction,
  target: GuidanceTarget,
  { offset, limit }: Pick<PageBounds, 'offset' | 'limit'>,
): Promise<PageOfRows<GuidanceRow>> {
  const { total } = await versionsOf(transaction, target)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  const rows = await versionsOf(transaction, target)
    .select(columns)
    .orderBy('version', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { rows, total };
}

/** Adds a version and makes it the current one. The caller holds the write lock of guidance. */
export async function addGuidanceVersion(
  transaction: TenantTransaction,
  { object, id }: GuidanceTarget,
  row: Omit<GuidanceRow, 'writtenAt'>,
): Promise<void> {
  const { tenantId, now } = transaction;
  await transaction
    .updateTable('guidance')
    .set({ state: 'replaced' })
    .where('tenantId', '=', tenantId)
    .where('object', '=', object)
    .where('objectId', '=', id)
    .where('state', '=', 'current')
    .execute();
  await transaction
    .insertInto('guidance')
    .values({ tenantId, object, objectId: id, ...row, writtenAt: now })
    .execute();
}

/** The version of guidance that an alarm has, and the object that it was written for. */
export type GuidanceOfAlarm = {
  tagId: number;
  object: GuidanceObject;
  objectId: number;
  version: number;
  respondSeconds: number;
};

/** The guidance of each of these alarms; alarms without any are left out. */
export async function readGuidanceOfAlarms(
  transaction: TenantTransaction,
  tagIds: readonly number[],
): Promise<Map<number, GuidanceOfAlarm>> {
  const { rows } = await sql<GuidanceOfAlarm>`select * from guidance_of_alarms(${[...tagIds]})`.execute(
    transaction,
  );
  return new Map(rows.map((row) => [row.tagId, row]));
}

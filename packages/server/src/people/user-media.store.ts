import type { Medium } from '@tocsin/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The ways to reach each of the users, in the order they are tried. */
export async function readMedia(
  transaction: TenantTransaction,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, Required<Medium>[]>> {
  const rows = await transaction
    .selectFrom('userMedia')
    .select(['userId', sql<Medium['kind']>`kind`.as('kind'), 'address', 'enabled'])
    .where('tenantId', '=', transaction.tenantId)
    .where(sql<boolean>`user_id = any(${[...userIds]}::bigint[])`)
    .orderBy('userId')
    .orderBy('position')
    .execute();
  const media = new Map<number, Required<Medium>[]>();
  for (const { userId, ...medium } of rows) {
    const known = media.get(userId);
    if (known) known.push(medium);
    else media.set(userId, [medium]);
  }
  return media;
}

/** Replaces all ways to reach the user. */
export async function saveMedia(
  transaction: TenantTransaction,
  userId: number,
  media: readonly Required<Medium>[],
): Promise<void> {
  const { tenantId } = transaction;
  await transaction
    .deleteFrom('userMedia')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute();
  if (media.length === 0) return;
  await transaction
    .insertInto('userMedia')
    .values(media.map((medium, position) => ({ tenantId, userId, position, ...medium })))
    .execute();
}

import type { Confirmation, ContactMedium } from '@tocsin/domain';
import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The media of each user, in the order in which they are tried. */
export async function readMedia(
  transaction: TenantTransaction,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, ContactMedium[]>> {
  const rows = await transaction
    .selectFrom('userMedia')
    .select(['userId', sql<ContactMedium['kind']>`kind`.as('kind'), 'address', 'enabled'])
    .select([sql<Confirmation['by'] | null>`confirmed_by`.as('confirmedBy'), 'confirmedAt'])
    .where('tenantId', '=', transaction.tenantId)
    .where(sql<boolean>`user_id = any(${[...userIds]}::bigint[])`)
    .orderBy('userId')
    .orderBy('position')
    .execute();
  const media = new Map<number, ContactMedium[]>();
  for (const { userId, confirmedBy, confirmedAt, ...row } of rows) {
    const confirmed = confirmedBy && confirmedAt ? { by: confirmedBy, at: confirmedAt } : undefined;
    const medium = { ...row, confirmed };
    const known = media.get(userId);
    if (known) known.push(medium);
    else media.set(userId, [medium]);
  }
  return media;
}

/** Replaces the media of the user. */
export async function saveMedia(
  transaction: TenantTransaction,
  userId: number,
  media: readonly ContactMedium[],
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
    .values(
      media.map(({ kind, address, enabled, confirmed }, position) => ({
        tenantId,
        userId,
        position,
        kind,
        address,
        enabled,
        confirmedBy: confirmed?.by ?? null,
        confirmedAt: confirmed?.at ?? null,
      })),
    )
    .execute();
}

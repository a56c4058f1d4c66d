import type { RuleMedium } from '@tocsin/domain';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

export type MediaRuleRecord = {
  name: string;
  priorities: number[];
  days: number[];
  startMinute: number;
  endMinute: number;
  media: RuleMedium[];
};

/** `timeZone` is null for that of the user's station. */
export type MediaRulesRecord = { timeZone: string | null; rules: MediaRuleRecord[] };

export async function readMediaRules(
  transaction: TenantTransaction,
  userId: number,
): Promise<MediaRulesRecord> {
  const { tenantId } = transaction;
  const user = await transaction
    .selectFrom('users')
    .select('mediaRulesTimeZone')
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .executeTakeFirst();
  const rules = await transaction
    .selectFrom('userMediaRules')
    .select(['name', 'priorities', 'days', 'startMinute', 'endMinute', sql<RuleMedium[]>`media`.as('media')])
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .orderBy('position')
    .execute();
  return { timeZone: user?.mediaRulesTimeZone ?? null, rules };
}

/** Replaces the rules. The version of the user stays: their rules are no part of what clients read with the user. */
export async function saveMediaRules(
  transaction: TenantTransaction,
  userId: number,
  { timeZone, rules }: MediaRulesRecord,
): Promise<void> {
  const { tenantId } = transaction;
  await transaction
    .updateTable('users')
    .set({ mediaRulesTimeZone: timeZone })
    .where('tenantId', '=', tenantId)
    .where('id', '=', userId)
    .execute();
  await transaction
    .deleteFrom('userMediaRules')
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute();
  if (rules.length === 0) return;
  await transaction
    .insertInto('userMediaRules')
    .values(
      rules.map(({ media, ...rule }, position) => ({
        tenantId,
        userId,
        position,
        ...rule,
        media: JSON.stringify(media),
      })),
    )
    .execute();
}

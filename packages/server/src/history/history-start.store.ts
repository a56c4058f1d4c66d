import { sql } from 'kysely';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Period } from './period.ts';

/** Where the tenant's histories begin; before it there may be rows that are not dropped yet. */
export type HistoryStart = {
  at: Date;
  /** Whether no sum before it is left. */
  isSwept: boolean;
};

/** Undefined if no month was ever retired. */
export async function readHistoryStart(transaction: TenantTransaction): Promise<HistoryStart | undefined> {
  const { rows } = await sql<HistoryStart>`
    select starts_at as at, is_swept from history_starts where tenant_id = ${transaction.tenantId}`.execute(
    transaction,
  );
  return rows[0];
}

/** The part of the period that the histories cover. A period without ends stays so if the sums know nothing else. */
export function withinHistory<Asked extends Period>(asked: Asked, start: HistoryStart | undefined): Asked {
  const { from, to } = asked;
  if (!start || (start.isSwept && from === undefined && to === undefined)) return asked;
  return {
    ...asked,
    from: from && from > start.at ? from : start.at,
    to: to && to < start.at ? start.at : to,
  };
}

import type { callStatuses } from '@tocsin/contract';
import { sql } from 'kysely';
import { nextId } from '../postgres/next-id.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type CallStatus = (typeof callStatuses)[number];

export type NewCall = {
  kind: 'users' | 'groups';
  message: string;
  number: number;
  audio: string;
  file: string;
  requestedBy: string;
};

/** Stores what was asked for; whom to call is the business of its duty. */
export async function insertCall(transaction: TenantTransaction, call: NewCall): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'call');
  await transaction
    .insertInto('calls')
    .values({ tenantId, id, ...call, requestedAt: now })
    .execute();
  return id;
}

/** How many calls of the tenant are still open, of those asked for by hand. */
export async function countOpenCalls({ client, tenantId }: TenantTransaction): Promise<number> {
  const { rows } = await client.query<{ open: number }>({
    name: 'count-open-calls',
    text: `select count(*)::integer as open from duties
           where tenant_id = $1 and call_id is not null and closed_at is null`,
    values: [tenantId],
  });
  return rows[0]?.open ?? 0;
}

/** How a call stands: its attempts, and why nobody is called for it any more. */
export type CallStanding = {
  /** Null while somebody is being called. */
  closedReason: string | null;
  attempts: { userId: number; status: CallStatus }[];
};

/** Of these calls, by their ids. */
export async function readStandings(
  transaction: TenantTransaction,
  callIds: readonly number[],
): Promise<Map<number, CallStanding>> {
  const { tenantId } = transaction;
  const duties = await transaction
    .selectFrom('duties')
    .select(['callId', 'closedReason'])
    .where('tenantId', '=', tenantId)
    .where('callId', 'in', callIds)
    .execute();
  const attempts = await transaction
    .selectFrom('callAttempts')
    .select(['callId', 'userId', sql<CallStatus>`status`.as('status')])
    .where('tenantId', '=', tenantId)
    .where('callId', 'in', callIds)
    .execute();
  const reasons = new Map(duties.map(({ callId, closedReason }) => [callId, closedReason]));
  const attemptsOf = Map.groupBy(attempts, ({ callId }) => callId);
  return new Map(
    callIds.map((id) => [id, { closedReason: reasons.get(id) ?? null, attempts: attemptsOf.get(id) ?? [] }]),
  );
}

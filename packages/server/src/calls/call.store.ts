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

/** Stores the request. Its escalation decides whom to call. */
export async function insertCall(transaction: TenantTransaction, call: NewCall): Promise<number> {
  const { tenantId, now } = transaction;
  const id = await nextId(transaction, 'call');
  await transaction
    .insertInto('calls')
    .values({ tenantId, id, ...call, requestedAt: now })
    .execute();
  return id;
}

/** Counts the open calls of the tenant that were requested by hand. */
export async function countOpenCalls({ client, tenantId }: TenantTransaction): Promise<number> {
  const { rows } = await client.query<{ open: number }>({
    name: 'count-open-calls',
    text: `select count(*)::integer as open from escalations
           where tenant_id = $1 and call_id is not null and closed_at is null`,
    values: [tenantId],
  });
  return rows[0]?.open ?? 0;
}

/** The attempts of a call, and why it was closed. */
export type CallState = {
  /** Null while somebody is being called. */
  closedReason: string | null;
  attempts: { userId: number; status: CallStatus }[];
};

export async function readCallStates(
  transaction: TenantTransaction,
  callIds: readonly number[],
): Promise<Map<number, CallState>> {
  const { tenantId } = transaction;
  const escalations = await transaction
    .selectFrom('escalations')
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
  const reasons = new Map(escalations.map(({ callId, closedReason }) => [callId, closedReason]));
  const attemptsOf = Map.groupBy(attempts, ({ callId }) => callId);
  return new Map(
    callIds.map((id) => [id, { closedReason: reasons.get(id) ?? null, attempts: attemptsOf.get(id) ?? [] }]),
  );
}

import type { callStatuses } from '@tocsin/contract';
import { searchText } from '@tocsin/domain';
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

/** The first try to reach one person for a call. */
export type NewAttempt = {
  userId: number;
  userName: string;
  medium: string;
  address: string;
  callGroupId: number | null;
  stationId: number | null;
  reason: string;
};

/** So many at a time: each carries the whole message. */
const attemptsPerInsert = 100;

/** Stores the call and a queued attempt for each person. */
export async function insertCall(
  transaction: TenantTransaction,
  call: NewCall,
  attempts: readonly NewAttempt[],
): Promise<number> {
  const { tenantId, now } = transaction;
  const { message } = call;
  const callId = await nextId(transaction, 'call');
  await transaction
    .insertInto('calls')
    .values({ tenantId, id: callId, ...call, requestedAt: now })
    .execute();
  const ids = await nextAttemptIds(transaction, attempts.length);
  const rows = attempts.map((attempt, index) => ({
    tenantId,
    id: ids[index] ?? 0,
    callId,
    ...attempt,
    message,
    attempt: 1,
    status: 'Queued',
    startedAt: now,
    searchText: searchText([attempt.userName, message, attempt.medium]),
  }));
  for (let start = 0; start < rows.length; start += attemptsPerInsert) {
    const some = rows.slice(start, start + attemptsPerInsert);
    await transaction.insertInto('callAttempts').values(some).execute();
  }
  return callId;
}

async function nextAttemptIds(transaction: TenantTransaction, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select next_id('call-attempt') as id from generate_series(1, ${count}::int)`.execute(transaction);
  return rows.map(({ id }) => id);
}

/** How the attempts of a call stand. */
export async function readStatuses(
  transaction: TenantTransaction,
  callId: number,
): Promise<{ userId: number; status: CallStatus }[]> {
  return transaction
    .selectFrom('callAttempts')
    .select(['userId', sql<CallStatus>`status`.as('status')])
    .where('tenantId', '=', transaction.tenantId)
    .where('callId', '=', callId)
    .execute();
}

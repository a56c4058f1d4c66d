import type { CallMessage, MediumKind } from '@tocsin/domain';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/**
 * Locks telephones for this transaction and returns those with a live call. Two dispatchers that want to call the same one
 * wait for each other here. The locks are taken in the order of the numbers, so that they cannot deadlock. A call about
 * several alarms lives as long as one of its attempts.
 */
export async function lockPhones(
  { client, tenantId }: TenantTransaction,
  addresses: readonly string[],
): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  await client.query({
    name: 'lock-phones',
    text: `select pg_advisory_xact_lock(hashtextextended($1::text || ' phone ' || p.address, 0))
           from (select distinct address from unnest($2::text[]) as u(address) order by address) p`,
    values: [tenantId, addresses],
  });
  const { rows } = await client.query<{ address: string }>({
    name: 'list-busy-phones',
    text: `select distinct address from call_attempts where tenant_id = $1 and address = any ($2::text[])
             and medium = 'Voice' and outcome <> 'queued' and ended_at is null`,
    values: [tenantId, addresses],
  });
  return new Set(rows.map(({ address }) => address));
}

/** Has the calls for notices at these telephones hung up, because an alarm waits for them. They are made again later. */
export async function hangUpNotices(
  { client, tenantId, now }: TenantTransaction,
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return;
  await client.query({
    name: 'hang-up-notices',
    text: `update call_attempts set hang_up_at = $3 where tenant_id = $1 and address = any ($2::text[]) and medium = 'Voice'
             and outcome <> 'queued' and ended_at is null and hang_up_at is null and notice_id is not null`,
    values: [tenantId, addresses, now],
  });
}

/** An alarm that waits for a telephone with a live call, and is to join that call. */
export type JoiningAttempt = {
  id: number;
  fencingToken: number;
  /** The attempt that names the call. */
  sentAs: number;
  tagId: number;
  priority: number;
  medium: MediumKind;
  message: CallMessage;
};

/**
 * Claims the alarms that wait for telephones with a call of this process, and marks them as part of the call. Masked
 * alarms and messages that need no answer do not join.
 */
export async function claimJoiningAttempts(
  { client, tenantId, now }: TenantTransaction,
  calls: readonly { attemptId: number; address: string; userId: number; channelId: number }[],
  { node, leaseUntil }: { node: string; leaseUntil: Date },
): Promise<JoiningAttempt[]> {
  const { rows } = await client.query<JoiningAttempt>({
    name: 'claim-joining-attempts',
    text: `with live as (
             select * from json_to_recordset($2) as l("attemptId" bigint, address text, "userId" bigint, "channelId" bigint)
           ), waiting as materialized (
             select c.id, l."attemptId", l."channelId", d.tag_id, d.plan -> 'message' as message
             from live l join call_attempts c on c.tenant_id = $1 and c.medium = 'Voice' and c.outcome = 'queued'
               and c.address = l.address and c.user_id = l."userId"
             join escalations d on d.tenant_id = $1 and d.id = c.escalation_id
             where d.closed_at is null and d.occasion = 'raised' and (c.lease_until is null or c.lease_until <= $3)
               and not exists (select from alarms a where a.tenant_id = $1 and a.tag_id = d.tag_id
                 and a.occurrence_id = d.occurrence_id and a.mask_until > $3)
             order by c.id limit 50 for update of c skip locked
           )
           update call_attempts c set outcome = 'calling', status = 'Calling', channel_id = w."channelId", sent_at = $3,
             sent_as = w."attemptId", node = $4, lease_until = $5, fencing_token = c.fencing_token + 1
           from waiting w where c.tenant_id = $1 and c.id = w.id
           returning c.id, c.fencing_token as "fencingToken", c.sent_as as "sentAs", w.tag_id as "tagId", c.priority,
             c.medium, w.message`,
    values: [tenantId, JSON.stringify(calls), now, node, leaseUntil],
  });
  return rows;
}

/** Renews the leases of the calls that live in this process. */
export async function renewCalls(
  { client, tenantId, now }: TenantTransaction,
  calls: readonly number[],
  { node, leaseUntil }: { node: string; leaseUntil: Date },
): Promise<void> {
  await client.query({
    name: 'renew-calls',
    text: `update call_attempts set lease_until = $4 where tenant_id = $1 and sent_as = any ($2::bigint[]) and node = $3
             and ended_at is null and outcome <> 'queued' and lease_until > $5`,
    values: [tenantId, calls, node, leaseUntil, now],
  });
}

import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** The attempt of a provider's reference, if it is known. */
export type ReferencedAttempt = {
  attemptId: number | undefined;
  /** The channel is sending, so the reference may be stored in a moment. */
  isSending: boolean;
};

/** Finds the message that a channel sent under the provider's reference. A provider may reuse one: the last one counts. */
export async function findByReference(
  { client, tenantId }: TenantTransaction,
  channelId: number,
  reference: string,
): Promise<ReferencedAttempt> {
  const { rows } = await client.query<{ ids: number[]; isSending: boolean }>({
    name: 'find-attempt-by-reference',
    // In one statement, so that an attempt is seen either while it is sent or with its reference.
    text: `select array(select coalesce(c.sent_as, c.id) from call_attempts c
               where c.reference = $3 and c.reference <> '' and c.tenant_id = $1 and c.channel_id = $2) as ids,
             exists (select from call_attempts c where c.tenant_id = $1 and c.channel_id = $2 and c.outcome = 'calling'
               and c.lease_until is not null) as "isSending"`,
    values: [tenantId, channelId, reference],
  });
  const { ids = [], isSending = false } = rows[0] ?? {};
  return { attemptId: ids.length === 0 ? undefined : Math.max(...ids), isSending };
}

/** The medium of a channel; undefined if it was deleted. */
export async function findChannelMedium(
  transaction: TenantTransaction,
  channelId: number,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('channels')
    .select('medium')
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', channelId)
    .executeTakeFirst();
  return row?.medium;
}

/** A message that a person got, and can answer by a reply. */
export type RecentAttempt = { id: number; address: string; createdAt: Date; codeTries: number };

/** Attempts of one person that are looked at. With more of them a guessed code would be right more often. */
const maxAttempts = 200;
const recentMs = 24 * 3_600_000;

/**
 * Lists the messages of the last day to people who have this address, the newest first. The address is compared loosely
 * here: the caller compares it exactly.
 */
export async function listRecentAttempts(
  { client, tenantId, now }: TenantTransaction,
  { medium, key }: { medium: string; key: string },
): Promise<RecentAttempt[]> {
  const { rows } = await client.query<RecentAttempt>({
    name: 'list-recent-attempts-to-address',
    text: `select r.id, r.address, r.started_at as "createdAt", r.code_tries as "codeTries"
           from (select distinct m.user_id from user_media m where m.tenant_id = $1 and m.kind = $2
             and case when position('@' in m.address) > 0 then lower(m.address)
               else right(ltrim(regexp_replace(m.address, '\\D', '', 'g'), '0'), 8) end = $3) u
           cross join lateral (select c.id, c.sent_as, c.medium, c.address, c.started_at, c.code_tries from call_attempts c
             where c.tenant_id = $1 and c.user_id = u.user_id order by c.id desc limit $5) r
           where r.sent_as = r.id and r.medium = $2 and r.started_at > $4 order by r.id desc`,
    values: [tenantId, medium, key, new Date(now.getTime() - recentMs), maxAttempts],
  });
  return rows;
}

/** Counts a wrong code against all these attempts: nobody knows which one was meant. */
export async function countWrongReply(
  transaction: TenantTransaction,
  attemptIds: readonly number[],
): Promise<void> {
  await transaction
    .updateTable('callAttempts')
    .set(({ eb }) => ({ codeTries: eb('codeTries', '+', 1) }))
    .where('tenantId', '=', transaction.tenantId)
    .where('id', 'in', attemptIds)
    .execute();
}

/** Reports overtake each other: that of the end of a call may come before that of the keys. */
const overtakingMs = 30_000;

export async function isCallOpen(
  { client, tenantId, now }: TenantTransaction,
  attemptId: number,
): Promise<boolean> {
  const { rows } = await client.query({
    name: 'is-call-open',
    text: `select from call_attempts where tenant_id = $1 and id = $2 and sent_at is not null
             and (ended_at is null or ended_at > $3)`,
    values: [tenantId, attemptId, new Date(now.getTime() - overtakingMs)],
  });
  return rows.length > 0;
}

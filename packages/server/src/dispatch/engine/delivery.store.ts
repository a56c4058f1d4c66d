import type { CallMessage, MediumKind } from '@tocsin/domain';
import { insertAttemptEvents } from '../../escalations/call-event.store.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { Claim } from './lease.store.ts';

/** A claimed attempt that is still queued, with the content of its message. */
export type ReadyAttempt = {
  id: number;
  fencingToken: number;
  userId: number;
  language: string;
  medium: { kind: MediumKind; address: string };
  /** The person is enabled and still has this medium, and it may be called; the address for a code need not be theirs yet. */
  isReachable: boolean;
  avoid: number[];
  priority: number;
  /** The first alarm of a station is sent before others of the same priority. */
  isFirstOfStation: boolean;
  createdAt: Date;
  escalationId: number;
  occasion: string;
  tagId: number | null;
  occurrenceId: number | null;
  openedAt: Date;
  /** When a provider last accepted a call for the escalation; before that, when the escalation fell due. */
  waitingSince: Date;
  /** When the first call for the escalation was due. */
  firstDueAt: Date;
  /** Nobody was called for the escalation yet. */
  isFirstCall: boolean;
  message: CallMessage;
  /** The W3C `traceparent` of its escalation; null if it is not traced. */
  traceParent: string | null;
};

type ReadyRow = {
  id: number;
  fencing_token: number;
  user_id: number;
  language: string;
  medium: MediumKind;
  address: string;
  reachable: boolean;
  avoid: number[];
  priority: number;
  urgency: number;
  started_at: Date;
  escalation_id: number;
  occasion: string;
  tag_id: number | null;
  occurrence_id: number | null;
  opened_at: Date;
  waiting_since: Date;
  first_due_at: Date;
  is_first_call: boolean;
  message: CallMessage;
  trace_parent: string | null;
};

/**
 * Reads and locks the claimed attempts that are still queued, claimed by us and of an open escalation. Attempts for a
 * masked alarm are excluded here too, because the dispatcher that should withdraw them may have died.
 */
export async function readReadyAttempts(
  { client, tenantId, now }: TenantTransaction,
  claims: readonly Claim[],
): Promise<ReadyAttempt[]> {
  const { rows } = await client.query<ReadyRow>({
    name: 'read-ready-attempts',
    text: `
      select c.id, c.fencing_token, c.user_id, c.medium, c.address, c.avoid, c.priority, c.urgency, c.started_at, c.escalation_id,
        d.occasion, d.tag_id, d.occurrence_id, d.opened_at, d.plan -> 'message' as message, d.trace_parent,
        coalesce((select max(p.sent_at) from call_attempts p where p.tenant_id = $1 and p.escalation_id = c.escalation_id
          and p.outcome in ('accepted', 'delivered', 'answered', 'acknowledged')), d.first_due_at) as waiting_since,
        d.first_due_at, not exists (select from call_attempts p where p.tenant_id = $1 and p.escalation_id = c.escalation_id
          and p.sent_at is not null) as is_first_call,
        case when d.plan -> 'message' ->> 'notice' = 'code' then exists (
          select from users u where u.tenant_id = $1 and u.id = c.user_id and u.enabled)
        else exists (select from users u join user_media m on m.tenant_id = $1 and m.user_id = u.id and m.enabled
          where u.tenant_id = $1 and u.id = c.user_id and u.enabled and m.kind = c.medium
            and m.address = c.address
            -- Only the last resort of an alarm of priority 1 calls an address that nobody has confirmed.
            and (m.confirmed_by is not null or (c.priority <= 1 and d.occasion = 'raised'))) end as reachable,
        coalesce((select u.language from users u where u.tenant_id = $1 and u.id = c.user_id), '') as language
      from unnest($2::bigint[], $3::bigint[]) as t(id, fencing_token)
      join call_attempts c on c.tenant_id = $1 and c.id = t.id and c.fencing_token = t.fencing_token
      join escalations d on d.tenant_id = $1 and d.id = c.escalation_id
      where c.outcome = 'queued' and d.closed_at is null
        and not exists (select from alarms a where a.tenant_id = $1 and a.tag_id = d.tag_id
          and a.occurrence_id = d.occurrence_id and d.occasion = 'raised' and a.mask_until > $4)
      order by c.id
      for update of c`,
    values: [tenantId, claims.map(({ id }) => id), claims.map(({ fencingToken }) => fencingToken), now],
  });
  return rows.map((row) => ({
    id: row.id,
    fencingToken: row.fencing_token,
    userId: row.user_id,
    language: row.language,
    medium: { kind: row.medium, address: row.address },
    isReachable: row.reachable,
    avoid: row.avoid,
    priority: row.priority,
    isFirstOfStation: row.priority > 1 && row.urgency === 0,
    createdAt: row.started_at,
    escalationId: row.escalation_id,
    occasion: row.occasion,
    tagId: row.tag_id,
    occurrenceId: row.occurrence_id,
    openedAt: row.opened_at,
    waitingSince: row.waiting_since,
    firstDueAt: row.first_due_at,
    isFirstCall: row.is_first_call,
    message: row.message,
    traceParent: row.trace_parent,
  }));
}

/** Counts, by user, the escalations they were called for since then, without notices. */
export async function countRecentEscalations(
  { client, tenantId }: TenantTransaction,
  userIds: readonly number[],
  since: Date,
): Promise<Map<number, number>> {
  const { rows } = await client.query<{ user_id: number; escalations: number }>({
    name: 'count-recent-escalations',
    text: `select w.user_id, (select count(distinct r.escalation_id) from (
               select c.escalation_id, c.started_at from call_attempts c where c.tenant_id = $1 and c.user_id = w.user_id
                 and c.notice_id is null order by c.id desc limit 200) r where r.started_at > $3)::integer as escalations
           from unnest($2::bigint[]) as w(user_id)`,
    values: [tenantId, userIds, since],
  });
  return new Map(rows.map(({ user_id, escalations }) => [user_id, escalations]));
}

/** Marks attempts as being called. This is stored before anything is sent, so that a crash leaves a trace. */
export async function markCalling(
  { client, tenantId, now }: TenantTransaction,
  sent: readonly { id: number; channelId: number; sentAs: number; node: string; leaseUntil: Date }[],
): Promise<void> {
  await client.query({
    name: 'mark-calling',
    text: `with called as (
             update call_attempts c set outcome = 'calling', status = 'Calling', channel_id = s."channelId", sent_at = $3,
               sent_as = s."sentAs", node = s.node, lease_until = s."leaseUntil"
             from json_to_recordset($2) as s(id bigint, "channelId" bigint, "sentAs" bigint, node text,
               "leaseUntil" timestamptz)
             where c.tenant_id = $1 and c.id = s.id returning c.id, c.escalation_id, c.outcome
           )
           ${insertAttemptEvents('called')}`,
    values: [tenantId, JSON.stringify(sent), now],
  });
}

/** Postpones attempts that a limit holds back. */
export async function postponeAttempts(
  { client, tenantId }: TenantTransaction,
  postponed: readonly { id: number; at: Date }[],
): Promise<void> {
  await client.query({
    name: 'postpone-attempts',
    text: `update call_attempts c set due_at = p.at, lease_until = null
           from json_to_recordset($2) as p(id bigint, at timestamptz) where c.tenant_id = $1 and c.id = p.id`,
    values: [tenantId, JSON.stringify(postponed)],
  });
}

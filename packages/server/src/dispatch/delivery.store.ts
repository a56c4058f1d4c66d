import type { Attempt, AttemptStatus, CallMessage, MediumKind } from '@tocsin/domain';
import { tellOf } from '../duties/tiding.store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Taken } from './lease.store.ts';
import { shownStatus } from './outcome.wire.ts';

/** A queued attempt that was taken up, with what its message is made from. */
export type ReadyAttempt = {
  id: number;
  fence: number;
  userId: number;
  language: string;
  medium: { kind: MediumKind; address: string };
  /** The person is enabled and still has this medium. */
  reachable: boolean;
  avoid: number[];
  priority: number;
  /** It goes before the others although its priority does not say so. */
  firstOfPlant: boolean;
  createdAt: Date;
  dutyId: number;
  occasion: string;
  tagId: number | null;
  openedAt: Date;
  /** When a provider last took a call for the duty; before that, when the duty fell due. */
  waitingSince: Date;
  message: CallMessage;
};

type ReadyRow = {
  id: number;
  fence: number;
  user_id: number;
  language: string;
  medium: MediumKind;
  address: string;
  reachable: boolean;
  avoid: number[];
  priority: number;
  urgency: number;
  started_at: Date;
  duty_id: number;
  occasion: string;
  tag_id: number | null;
  opened_at: Date;
  waiting_since: Date;
  message: CallMessage;
};

/**
 * Those of the taken attempts that are still ours and wanted, locked until the transaction ends. Nobody is called for an
 * alarm that is masked: its duty is looked at again, but whoever does that may have died with it.
 */
export async function readReadyAttempts(
  { client, tenantId, now }: TenantTransaction,
  taken: readonly Taken[],
): Promise<ReadyAttempt[]> {
  const { rows } = await client.query<ReadyRow>({
    name: 'read-ready-attempts',
    text: `
      select c.id, c.fence, c.user_id, c.medium, c.address, c.avoid, c.priority, c.urgency, c.started_at, c.duty_id,
        d.occasion, d.tag_id, d.opened_at, d.plan -> 'message' as message,
        coalesce((select max(p.sent_at) from call_attempts p where p.tenant_id = $1 and p.duty_id = c.duty_id
          and p.outcome in ('accepted', 'delivered', 'answered', 'acknowledged')), d.first_due_at) as waiting_since,
        exists (select from users u join user_media m on m.tenant_id = $1 and m.user_id = u.id and m.enabled
          where u.tenant_id = $1 and u.id = c.user_id and u.enabled and m.kind = c.medium
            and m.address = c.address) as reachable,
        coalesce((select u.language from users u where u.tenant_id = $1 and u.id = c.user_id), '') as language
      from unnest($2::bigint[], $3::bigint[]) as t(id, fence)
      join call_attempts c on c.tenant_id = $1 and c.id = t.id and c.fence = t.fence
      join duties d on d.tenant_id = $1 and d.id = c.duty_id
      where c.outcome = 'queued' and d.closed_at is null
        and not exists (select from alarms a where a.tenant_id = $1 and a.tag_id = d.tag_id
          and a.occurrence_id = d.occurrence_id and d.occasion = 'raised' and a.mask_until > $4)
      order by c.id
      for update of c`,
    values: [tenantId, taken.map(({ id }) => id), taken.map(({ fence }) => fence), now],
  });
  return rows.map((row) => ({
    id: row.id,
    fence: row.fence,
    userId: row.user_id,
    language: row.language,
    medium: { kind: row.medium, address: row.address },
    reachable: row.reachable,
    avoid: row.avoid,
    priority: row.priority,
    firstOfPlant: row.priority > 1 && row.urgency === 0,
    createdAt: row.started_at,
    dutyId: row.duty_id,
    occasion: row.occasion,
    tagId: row.tag_id,
    openedAt: row.opened_at,
    waitingSince: row.waiting_since,
    message: row.message,
  }));
}

/** By user, the duties he was called for since then. */
export async function countRecentDuties(
  { client, tenantId }: TenantTransaction,
  userIds: readonly number[],
  since: Date,
): Promise<Map<number, number>> {
  const { rows } = await client.query<{ user_id: number; duties: number }>({
    name: 'count-recent-duties',
    text: `select w.user_id, (select count(distinct r.duty_id) from (
               select c.duty_id, c.started_at from call_attempts c where c.tenant_id = $1 and c.user_id = w.user_id
               order by c.id desc limit 200) r where r.started_at > $3)::integer as duties
           from unnest($2::bigint[]) as w(user_id)`,
    values: [tenantId, userIds, since],
  });
  return new Map(rows.map(({ user_id, duties }) => [user_id, duties]));
}

/** The intent: that it is being called is written down before anything is sent. */
export async function markCalling(
  { client, tenantId, now }: TenantTransaction,
  sent: readonly { id: number; channelId: number; sentAs: number; leaseUntil: Date }[],
): Promise<void> {
  await client.query({
    name: 'mark-calling',
    text: `with called as (
             update call_attempts c set outcome = 'calling', status = 'Calling', channel_id = s."channelId", sent_at = $3,
               sent_as = s."sentAs", lease_until = s."leaseUntil"
             from json_to_recordset($2) as s(id bigint, "channelId" bigint, "sentAs" bigint, "leaseUntil" timestamptz)
             where c.tenant_id = $1 and c.id = s.id returning c.id, c.duty_id, c.outcome
           )
           ${tellOf('called')}`,
    values: [tenantId, JSON.stringify(sent), now],
  });
}

/** A limit keeps these waiting. */
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

type AttemptRow = {
  id: number;
  duty_id: number | null;
  target: number;
  step: number;
  try: number;
  user_id: number;
  medium: MediumKind;
  address: string;
  channel_id: number;
  outcome: AttemptStatus;
  permanent: boolean;
  channel_fault: boolean;
  reason: string;
  fence: number;
  started_at: Date;
  sent_at: Date | null;
  ended_at: Date | null;
  sent_as: number;
};

export type LockedAttempt = Attempt & {
  dutyId: number | null;
  /** The attempt whose name the message bears; itself unless several went out as one. */
  sentAs: number;
};

/**
 * The attempts as delivery knows them, locked until the transaction ends. Their duties are locked first: whoever
 * closes a duty locks in that order too.
 */
export async function lockAttempts(
  { client, tenantId }: TenantTransaction,
  ids: readonly number[],
): Promise<Map<number, LockedAttempt>> {
  await client.query({
    name: 'lock-duties-of-attempts',
    text: `select from duties d where d.tenant_id = $1 and d.id in (
             select c.duty_id from call_attempts c where c.tenant_id = $1 and c.id = any ($2::bigint[]))
           order by d.id for update`,
    values: [tenantId, ids],
  });
  const { rows } = await client.query<AttemptRow>({
    name: 'lock-attempts',
    text: `select id, duty_id, target, step, try, user_id, medium, address, channel_id, outcome, permanent, channel_fault, reason, fence,
             started_at, sent_at, ended_at, coalesce(sent_as, id) as sent_as
           from call_attempts where tenant_id = $1 and id = any ($2::bigint[]) order by id for update`,
    values: [tenantId, ids],
  });
  return new Map(
    rows.map((row) => [row.id, { ...attemptOf(row), dutyId: row.duty_id, sentAs: row.sent_as }]),
  );
}

/** Those of the calls, by the attempt whose name they bear, that still tell of an alarm that needs somebody. */
export async function listWantedCalls(
  { client, tenantId }: TenantTransaction,
  calls: readonly number[],
): Promise<Set<number>> {
  const { rows } = await client.query<{ sent_as: number }>({
    name: 'list-wanted-calls',
    text: `select distinct sent_as from call_attempts
           where tenant_id = $1 and sent_as = any ($2::bigint[]) and ended_at is null and hang_up_at is null`,
    values: [tenantId, calls],
  });
  return new Set(rows.map((row) => row.sent_as));
}

function attemptOf(row: AttemptRow): Attempt {
  return {
    id: row.id,
    target: row.target,
    step: row.step,
    try: row.try,
    userId: row.user_id,
    medium: { kind: row.medium, address: row.address },
    channelId: row.channel_id,
    status: row.outcome,
    permanent: row.permanent,
    reason: row.reason,
    fence: row.fence,
    createdAt: row.started_at,
    channelFault: row.channel_fault,
    ...(row.sent_at && { sentAt: row.sent_at }),
    ...(row.ended_at && { endedAt: row.ended_at }),
  };
}

/** Stores what became of attempts, and has their duties looked at again. */
export async function saveSettled(
  { client, tenantId, now }: TenantTransaction,
  settled: readonly { attempt: Attempt; dutyId: number | null; reference: string }[],
): Promise<void> {
  const rows = settled.map(({ attempt, dutyId, reference }) => ({
    id: attempt.id,
    dutyId,
    outcome: attempt.status,
    status: shownStatus(attempt.status),
    permanent: attempt.permanent,
    channelFault: attempt.channelFault ?? false,
    reason: attempt.reason,
    endedAt: attempt.endedAt ?? null,
    acknowledged: attempt.status === 'acknowledged',
    reference,
  }));
  await client.query({
    name: 'save-settled',
    text: `with s as materialized (
             select * from json_to_recordset($2) as s(id bigint, "dutyId" bigint, outcome text, status text,
 permanent boolean, "channelFault" boolean, reason text, "endedAt" timestamptz, acknowledged boolean, reference text)
           ), woken as (
             update duties d set due_at = least(d.due_at, $3)
             where d.tenant_id = $1 and d.id in (select s."dutyId" from s) and d.closed_at is null
           ), settled as (
             update call_attempts c set outcome = s.outcome, status = s.status, permanent = s.permanent, channel_fault = s."channelFault",
               reason = case when s.reason = '' then c.reason else s.reason end, ended_at = s."endedAt", lease_until = null,
               ask_at = case when s.outcome = 'accepted' and s."endedAt" is null then $3::timestamptz + interval '10 seconds' end,
               acknowledged_at = case when s.acknowledged then coalesce(c.acknowledged_at, $3) else c.acknowledged_at end,
               reference = case when s.reference = '' then c.reference else s.reference end
             from s where c.tenant_id = $1 and c.id = s.id returning c.id, c.duty_id, c.outcome
           )
           ${tellOf('settled')}`,
    values: [tenantId, JSON.stringify(rows), now],
  });
}

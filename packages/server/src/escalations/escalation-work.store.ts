import type {
  Attempt,
  AttemptStatus,
  CalledUser,
  CallPlan,
  EscalationState,
  Facts,
  MediumKind,
} from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** By call group whose users rotate: the number that the escalation drew. */
export type Rotation = Record<string, number>;

/** A claimed escalation, with the data that its next step is decided on. */
export type EscalationWork = {
  id: number;
  plan: CallPlan;
  state: EscalationState;
  rotation: Rotation;
  tagId: number | null;
  callId: number | null;
  /** Set for a notice only. */
  noticeId?: number | null;
  /** The W3C `traceparent` that its steps and attempts belong to; absent if they are not traced. */
  traceParent?: string | null;
  stationId: number | null;
  /** Undefined for a call on request. */
  alarm: Facts['alarm'];
  /** The attempts of the current steps, and all that have not ended. */
  attempts: Attempt[];
  /** For a reset or an acknowledgment: the users who were called for the alarm. */
  calledBefore?: readonly CalledUser[];
};

type AttemptRow = {
  id: number;
  target: number;
  step: number;
  try: number;
  userId: number;
  medium: MediumKind;
  address: string;
  channelId: number;
  outcome: AttemptStatus;
  permanent: boolean;
  channelFault: boolean;
  reason: string;
  fencingToken: number;
  createdMs: number;
  sentMs: number | null;
  answeredMs: number | null;
  endedMs: number | null;
  quietMs: number | null;
};

type Row = {
  id: number;
  plan: CallPlan;
  state: EscalationState;
  rotation: Rotation;
  tag_id: number | null;
  occurrence_id: number | null;
  call_id: number | null;
  notice_id: number | null;
  trace_parent: string | null;
  station_id: number | null;
  alarm_state: number | null;
  mask_until: Date | null;
  current_occurrence: number | null;
  attempts: AttemptRow[] | null;
  called_before: CalledUser[] | null;
};

/** The claimed escalations that are open and still have our fencing token, locked until the transaction ends. */
export async function readClaimedEscalations(
  { client, tenantId }: TenantTransaction,
  claimed: readonly { id: number; fencingToken: number }[],
): Promise<EscalationWork[]> {
  const values = [tenantId, claimed.map(({ id }) => id), claimed.map(({ fencingToken }) => fencingToken)];
  // A statement of its own: a statement that waits for a lock continues with its old view of other tables, and would miss
  // the outcome that made the escalation due.
  await client.query({
    name: 'lock-claimed-escalations',
    text: `select from unnest($2::bigint[], $3::bigint[]) as t(id, fencing_token)
           join escalations d on d.tenant_id = $1 and d.id = t.id and d.fencing_token = t.fencing_token
           where d.closed_at is null order by d.id for update of d`,
    values,
  });
  const { rows } = await client.query<Row>({
    name: 'read-claimed-escalations',
    text: `
      select d.id, d.plan, d.state, d.rotation, d.tag_id, d.occurrence_id, d.call_id, d.notice_id, d.station_id,
        d.trace_parent, a.state as alarm_state, a.mask_until, a.occurrence_id as current_occurrence,
        (select json_agg(json_build_object('id', c.id, 'target', c.target, 'step', c.step, 'try', c.try,
            'userId', c.user_id, 'medium', c.medium, 'address', c.address, 'channelId', c.channel_id,
            'outcome', c.outcome, 'permanent', c.permanent, 'channelFault', c.channel_fault, 'reason', c.reason, 'fencingToken', c.fencing_token,
            'createdMs', extract(epoch from c.started_at) * 1000, 'sentMs', extract(epoch from c.sent_at) * 1000,
            'answeredMs', extract(epoch from c.answered_at) * 1000, 'endedMs', extract(epoch from c.ended_at) * 1000,
            'quietMs', extract(epoch from c.quiet_until) * 1000)
            order by c.id)
          from call_attempts c where c.tenant_id = $1 and c.escalation_id = d.id
            and (c.ended_at is null or c.step >= (d.state -> 'targets' -> c.target ->> 'step')::integer)) as attempts,
        case when d.occasion in ('reset', 'acknowledged') then (
          select json_agg(distinct jsonb_build_object('userId', c.user_id, 'groupId', coalesce(c.call_group_id, 0)))
          from escalations r join call_attempts c on c.tenant_id = $1 and c.escalation_id = r.id and c.sent_at is not null
          where r.tenant_id = $1 and r.occurrence_id = d.occurrence_id and r.occasion = 'raised') end as called_before
      from unnest($2::bigint[], $3::bigint[]) as t(id, fencing_token)
      join escalations d on d.tenant_id = $1 and d.id = t.id and d.fencing_token = t.fencing_token
      left join alarms a on a.tenant_id = $1 and a.tag_id = d.tag_id
      where d.closed_at is null
      order by d.id`,
    values,
  });
  return rows.map(workOf);
}

function workOf(row: Row): EscalationWork {
  return {
    id: row.id,
    plan: row.plan,
    state: row.state,
    rotation: row.rotation,
    tagId: row.tag_id,
    callId: row.call_id,
    noticeId: row.notice_id,
    traceParent: row.trace_parent,
    stationId: row.station_id,
    alarm: statusOf(row),
    attempts: (row.attempts ?? []).map(attemptOf),
    calledBefore: row.called_before ?? [],
  };
}

/** An occurrence that is not the latest of its tag has ended. */
function statusOf({ tag_id, occurrence_id, ...row }: Row): Facts['alarm'] {
  if (tag_id === null) return undefined;
  if (row.alarm_state === null || row.current_occurrence !== occurrence_id) return { state: 0 };
  return { state: row.alarm_state, ...(row.mask_until && { maskUntil: row.mask_until }) };
}

function attemptOf({ medium, address, outcome, createdMs, ...row }: AttemptRow): Attempt {
  const { sentMs, answeredMs, endedMs, quietMs, ...attempt } = row;
  return {
    ...attempt,
    medium: { kind: medium, address },
    status: outcome,
    createdAt: new Date(createdMs),
    ...(sentMs !== null && { sentAt: new Date(sentMs) }),
    ...(answeredMs !== null && { answeredAt: new Date(answeredMs) }),
    ...(endedMs !== null && { endedAt: new Date(endedMs) }),
    ...(quietMs !== null && { quietUntil: new Date(quietMs) }),
  };
}

/** The next number of a call group whose users rotate. */
export async function drawRotation({ client }: TenantTransaction, groupId: number): Promise<number> {
  const { rows } = await client.query<{ number: number }>('select next_id($1) as number', [
    `turnover ${groupId}`,
  ]);
  return rows[0]?.number ?? 0;
}

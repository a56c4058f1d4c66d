import type {
  Attempt,
  AttemptStatus,
  CalledBefore,
  CallPlan,
  EscalationState,
  Facts,
  MediumKind,
} from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** By call group that takes turns: the number a duty drew. */
export type Rotation = Record<string, number>;

/** A duty that was taken up, with all that the escalation asks for. */
export type DutyWork = {
  id: number;
  plan: CallPlan;
  state: EscalationState;
  rotation: Rotation;
  tagId: number | null;
  callId: number | null;
  stationId: number | null;
  /** Undefined for a request. */
  alarm: Facts['alarm'];
  /** Those of the running steps, and all that have not ended. */
  attempts: Attempt[];
  /** Of news of an alarm: who was called for it. */
  calledBefore?: readonly CalledBefore[];
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
  fence: number;
  createdMs: number;
  sentMs: number | null;
  endedMs: number | null;
};

type Row = {
  id: number;
  plan: CallPlan;
  state: EscalationState;
  rotation: Rotation;
  tag_id: number | null;
  occurrence_id: number | null;
  call_id: number | null;
  station_id: number | null;
  alarm_state: number | null;
  mask_until: Date | null;
  current_occurrence: number | null;
  attempts: AttemptRow[] | null;
  called_before: CalledBefore[] | null;
};

/** Those of the taken duties that are still ours and open, locked until the transaction ends. */
export async function readTakenDuties(
  { client, tenantId }: TenantTransaction,
  taken: readonly { id: number; fence: number }[],
): Promise<DutyWork[]> {
  const values = [tenantId, taken.map(({ id }) => id), taken.map(({ fence }) => fence)];
  // By itself and first: a statement that waits for a lock goes on with what it saw of other tables before it waited,
  // and would miss the very outcome that it was woken for.
  await client.query({
    name: 'lock-taken-duties',
    text: `select from unnest($2::bigint[], $3::bigint[]) as t(id, fence)
           join duties d on d.tenant_id = $1 and d.id = t.id and d.fence = t.fence
           where d.closed_at is null order by d.id for update of d`,
    values,
  });
  const { rows } = await client.query<Row>({
    name: 'read-taken-duties',
    text: `
      select d.id, d.plan, d.state, d.rotation, d.tag_id, d.occurrence_id, d.call_id, d.station_id,
        a.state as alarm_state, a.mask_until, a.occurrence_id as current_occurrence,
        (select json_agg(json_build_object('id', c.id, 'target', c.target, 'step', c.step, 'try', c.try,
            'userId', c.user_id, 'medium', c.medium, 'address', c.address, 'channelId', c.channel_id,
            'outcome', c.outcome, 'permanent', c.permanent, 'channelFault', c.channel_fault, 'reason', c.reason, 'fence', c.fence,
            'createdMs', extract(epoch from c.started_at) * 1000, 'sentMs', extract(epoch from c.sent_at) * 1000,
            'endedMs', extract(epoch from c.ended_at) * 1000)
            order by c.id)
          from call_attempts c where c.tenant_id = $1 and c.duty_id = d.id
            and (c.ended_at is null or c.step >= (d.state -> 'targets' -> c.target ->> 'step')::integer)) as attempts,
        case when d.occasion in ('reset', 'acknowledged') then (
          select json_agg(distinct jsonb_build_object('userId', c.user_id, 'groupId', coalesce(c.call_group_id, 0)))
          from duties r join call_attempts c on c.tenant_id = $1 and c.duty_id = r.id and c.sent_at is not null
          where r.tenant_id = $1 and r.occurrence_id = d.occurrence_id and r.occasion = 'raised') end as called_before
      from unnest($2::bigint[], $3::bigint[]) as t(id, fence)
      join duties d on d.tenant_id = $1 and d.id = t.id and d.fence = t.fence
      left join alarms a on a.tenant_id = $1 and a.tag_id = d.tag_id
      where d.closed_at is null
      order by d.id`,
    values,
  });
  return rows.map(workOf);
}

function workOf(row: Row): DutyWork {
  return {
    id: row.id,
    plan: row.plan,
    state: row.state,
    rotation: row.rotation,
    tagId: row.tag_id,
    callId: row.call_id,
    stationId: row.station_id,
    alarm: standingOf(row),
    attempts: (row.attempts ?? []).map(attemptOf),
    calledBefore: row.called_before ?? [],
  };
}

/** An occurrence that is no longer the latest of its tag is over. */
function standingOf({ tag_id, occurrence_id, ...row }: Row): Facts['alarm'] {
  if (tag_id === null) return undefined;
  if (row.alarm_state === null || row.current_occurrence !== occurrence_id) return { state: 0 };
  return { state: row.alarm_state, ...(row.mask_until && { maskUntil: row.mask_until }) };
}

function attemptOf({ medium, address, outcome, createdMs, sentMs, endedMs, ...row }: AttemptRow): Attempt {
  return {
    ...row,
    medium: { kind: medium, address },
    status: outcome,
    createdAt: new Date(createdMs),
    ...(sentMs !== null && { sentAt: new Date(sentMs) }),
    ...(endedMs !== null && { endedAt: new Date(endedMs) }),
  };
}

/** The next number of a call group whose people take turns. */
export async function drawRotation({ client }: TenantTransaction, groupId: number): Promise<number> {
  const { rows } = await client.query<{ number: number }>('select next_id($1) as number', [
    `turnover ${groupId}`,
  ]);
  return rows[0]?.number ?? 0;
}

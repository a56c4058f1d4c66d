import type { TimelineEntry } from '@tocsin/contract';
import type { PageRequest } from '../../http/page.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** An entry of an alarm's timeline; `body` holds the details, by source. */
export type TimelineRow = {
  at: Date;
  source: 'journal' | 'call' | 'answer' | 'notice' | 'end' | 'command';
  kind: string;
  seq: number;
  occurrenceId: number;
  state: number;
  actor: string;
  /** `user:12`, `key:5` or `system`; null if unknown. */
  actorId: string | null;
  detail: string;
  body: Record<string, unknown> | readonly unknown[] | null;
};

/** An attempt in a timeline, before times are formatted and the address is masked. */
export type CallBody = Omit<NonNullable<TimelineEntry['call']>, 'endTime' | 'ackTime'> & {
  endMs: number | null;
  ackMs: number | null;
};

const callBody = `json_build_object('attemptId', c.id, 'callGroupId', coalesce(c.call_group_id, 0), 'userId', c.user_id,
        'user', c.user_name, 'medium', c.medium, 'address', c.address, 'attempt', c.attempt, 'status', c.status,
        'reason', c.reason,
        'endMs', extract(epoch from c.ended_at) * 1000, 'ackMs', extract(epoch from c.acknowledged_at) * 1000)`;

/** Each source is ordered and limited by itself, so that only the rows of the page are sorted together. */
const sources = {
  journal: `select j.at, 0 as rank, j.seq as number, 'journal' as source, j.kind, j.occurrence_id, j.actor, j.actor_id, j.detail,
      j.definition_change as body, j.seq, (j.alarm ->> 'state')::integer as state
    from journal j where j.tenant_id = $1 and j.tag_id = $2 order by j.seq`,
  call: `select c.started_at, 1, c.id, 'call', 'called', d.occurrence_id, '', null::text, c.reason,
      ${callBody}, null, null
    from call_attempts c join escalations d on d.tenant_id = $1 and d.id = c.escalation_id
    where c.tenant_id = $1 and c.tag_id = $2 order by c.started_at, c.id`,
  answer: `select r.at, 2, c.id * 100 + r.number, 'answer', 'answered', d.occurrence_id,
      case when r.judgement = 'accepted' then c.user_name else '' end,
      case when r.judgement = 'accepted' then 'user:' || c.user_id end, r.judgement,
      json_build_object('attemptId', c.id, 'way', r.method, 'intent', r.intent, 'judgement', r.judgement), null, null
    from call_attempts c join escalations d on d.tenant_id = $1 and d.id = c.escalation_id
    join answer_records r on r.tenant_id = $1 and r.attempt_id = coalesce(c.sent_as, c.id)
    where c.tenant_id = $1 and c.tag_id = $2 order by r.at, c.id, r.number`,
  notice: `select n.at, 3, n.escalation_id * 10000 + n.number, 'notice', 'call-noticed', d.occurrence_id,
      coalesce(n.detail ->> 'by', ''), null, coalesce(n.detail ->> 'comment', ''),
      json_build_object('kind', n.kind, 'callGroupId', coalesce((n.detail ->> 'groupId')::bigint, 0),
        'userId', coalesce((n.detail ->> 'userId')::bigint, 0)), null, null
    from escalations d join escalation_events n on n.tenant_id = $1 and n.escalation_id = d.id
    where d.tenant_id = $1 and d.tag_id = $2 order by n.at, n.escalation_id, n.number`,
  end: `select d.closed_at, 4, d.id, 'end', 'calls-ended', d.occurrence_id, '', null, d.closed_reason, null::json, null, null
    from escalations d where d.tenant_id = $1 and d.tag_id = $2 and d.closed_at is not null order by d.closed_at, d.id`,
  command: `select r.ended_at, 5, r.id, 'command', 'command-refused', r.occurrence_id, '', null, r.reason,
      json_build_object('runId', r.id, 'type', case r.kind when 'stop' then 'StopCommand' else 'ExecuteCommand' end,
        'scriptId', r.script_id, 'parameter', r.parameter), null, null
    from command_runs r where r.tenant_id = $1 and r.tag_id = $2 and r.status = 'refused' order by r.ended_at, r.id`,
};

type Source = keyof typeof sources;

/** Lists the history of an alarm in order of time, `withCalls` including its calls and commands. */
export async function listTimeline(
  { client, tenantId }: TenantTransaction,
  { tagId, withCalls }: { tagId: number; withCalls: boolean },
  { offset, limit, descending }: PageRequest,
): Promise<{ rows: TimelineRow[]; total: number }> {
  const wanted = Object.entries(sources).filter(([source]) => withCalls || source === 'journal');
  const parts = wanted.map(([source]) => `(${sortedSource(source as Source, descending)} limit $3)`);
  const { rows } = await client.query<TimelineRow>({
    text: `
      select e.at, e.source, e.kind, e.occurrence_id as "occurrenceId", e.actor, e.actor_id as "actorId", e.detail, e.body,
        coalesce(e.seq, before.seq, 1) as seq, coalesce(e.state, before.state, 0) as state
      from (select * from (${parts.join(' union all ')}) as e
        ${orderOf(['at', 'rank', 'number'], descending)} offset $4 limit $5) e
      left join lateral (
        select j.seq, (j.alarm ->> 'state')::integer as state from journal j
        where e.seq is null and j.tenant_id = $1 and j.tag_id = $2 and j.at <= e.at order by j.seq desc limit 1
      ) before on true
      ${orderOf(['e.at', 'e.rank', 'e.number'], descending)}`,
    values: [tenantId, tagId, offset + limit, offset, limit],
  });
  const counts = wanted.map(([, text]) => `(select count(*) from (${text}) as counted)`);
  const { rows: counted } = await client.query<{ total: number }>(
    `select (${counts.join(' + ')})::integer as total`,
    [tenantId, tagId],
  );
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Finds attempts in the form of timelines, by id. */
export async function findTimelineCalls(
  { client, tenantId }: TenantTransaction,
  ids: readonly number[],
): Promise<Map<number, CallBody>> {
  const { rows } = await client.query<{ id: number; body: CallBody }>({
    name: 'find-timeline-calls',
    text: `select c.id, ${callBody} as body from call_attempts c where c.tenant_id = $1 and c.id = any ($2::bigint[])`,
    values: [tenantId, ids],
  });
  return new Map(rows.map(({ id, body }) => [id, body]));
}

function sortedSource(source: Source, descending: boolean): string {
  const text = sources[source];
  if (!descending) return text;
  const at = text.lastIndexOf('order by ') + 'order by '.length;
  const keys = text.slice(at).split(', ');
  return `${text.slice(0, at)}${keys.map((key) => `${key} desc`).join(', ')}`;
}

function orderOf(keys: readonly string[], descending: boolean): string {
  return `order by ${keys.map((key) => (descending ? `${key} desc` : key)).join(', ')}`;
}

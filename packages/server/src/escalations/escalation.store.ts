import type { AttemptDraft, EscalationEvent, EscalationState } from '@tocsin/domain';
import { isUrgent, searchText } from '@tocsin/domain';
import type { BareTransaction, TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { CallDirectory } from './call-directory.ts';
import { insertAttemptEvents, insertClosedEvents } from './call-event.store.ts';
import { endAttempts } from './closing.store.ts';
import { systemAlarmsOf } from './escalation-system-alarm.ts';
import type { EscalationWork, Rotation } from './escalation-work.store.ts';
import { listFirstOfStations } from './first-alarm-of-station.store.ts';
import { countTries, raiseSystemAlarms } from './system-alarm.store.ts';

/** An escalation after its next step was decided. */
export type Escalated = {
  work: Pick<EscalationWork, 'id' | 'plan' | 'tagId' | 'callId' | 'noticeId' | 'stationId' | 'traceParent'>;
  state: EscalationState;
  rotation: Rotation;
  /** Has the names of users and call groups. */
  directory: CallDirectory;
  attempts: readonly AttemptDraft[];
  hangUp: readonly number[];
  /** Undefined if the escalation is closed. */
  wakeAt: Date | undefined;
  events: readonly EscalationEvent[];
  /** Station and reason of the attempts, for a request that has several stations. */
  shown?: { stationOf: ReadonlyMap<number, number | null>; reason: string };
};

/** Limits the size of a statement, because each attempt has the whole message. */
const attemptsPerInsert = 100;

/** Stores states, attempts and events, and ends the leases. */
export async function saveEscalated(
  transaction: TenantTransaction,
  escalated: readonly Escalated[],
): Promise<void> {
  await saveEscalations(transaction, escalated);
  await eraseCodes(transaction, escalated);
  const calling = escalated.filter(({ attempts }) => attempts.length > 0);
  const firsts = await listFirstOfStations(
    transaction,
    calling.map(({ work: { id, stationId, plan } }) => ({ id, stationId, priority: plan.priority })),
  );
  const drafts = calling.flatMap(({ work, attempts, shown, directory }) =>
    attempts.map((draft) => ({
      work,
      draft,
      shown,
      name: directory.people.get(draft.userId)?.name ?? '',
      isFirstOfStation: firsts.has(work.id),
    })),
  );
  for (let start = 0; start < drafts.length; start += attemptsPerInsert)
    await insertAttempts(transaction, drafts.slice(start, start + attemptsPerInsert));
  const hangUp = escalated.flatMap((one) => one.hangUp);
  if (hangUp.length > 0) await hangUpAttempts(transaction, hangUp);
  const events = escalated.flatMap(({ work, events: some }) =>
    some.map(({ kind, ...detail }) => ({ escalationId: work.id, kind, detail })),
  );
  if (events.length === 0) return;
  await insertEvents(transaction, events);
  const escalationIds = events.flatMap(({ kind, escalationId }) =>
    kind === 'exhausted' ? [escalationId] : [],
  );
  const tries = await countTries(transaction, escalationIds);
  const alarms = escalated.flatMap((one) => systemAlarmsOf(one, tries.get(one.work.id)));
  if (alarms.length > 0) await raiseSystemAlarms(transaction, alarms, transaction.now);
}

async function saveEscalations(
  { client, tenantId, now }: TenantTransaction,
  escalated: readonly Escalated[],
): Promise<void> {
  const rows = escalated.map(({ work, state, rotation, wakeAt }) => ({
    id: work.id,
    state,
    rotation,
    due: wakeAt ?? now,
    reason: wakeAt === undefined ? (state.closed ?? 'missed') : null,
  }));
  await client.query({
    name: 'save-escalations',
    text: `with saved as (
             update escalations d set state = e.state, rotation = e.rotation, due_at = e.due, lease_until = null,
               closed_at = case when e.reason is null then null else $3::timestamptz end, closed_reason = e.reason
             from json_to_recordset($2) as e(id bigint, state jsonb, rotation jsonb, due timestamptz, reason text)
             where d.tenant_id = $1 and d.id = e.id returning d.id, d.closed_at
           ), closed as (select id from saved where closed_at is not null)
           ${insertClosedEvents}`,
    values: [tenantId, JSON.stringify(rows), now],
  });
}

/** Forgets the codes of notices that are over. */
async function eraseCodes(
  { client, tenantId }: TenantTransaction,
  escalated: readonly Escalated[],
): Promise<void> {
  const over = escalated.filter(
    ({ work, wakeAt }) => wakeAt === undefined && work.plan.message.notice === 'code',
  );
  if (over.length === 0) return;
  await client.query({
    name: 'erase-codes',
    text: `update escalations set plan = jsonb_set(plan, '{message,text}', '""') where tenant_id = $1 and id = any ($2::bigint[])`,
    values: [tenantId, over.map(({ work }) => work.id)],
  });
}

type DraftOf = Pick<Escalated, 'work'> & {
  draft: AttemptDraft;
  name: string;
  shown: Escalated['shown'];
  isFirstOfStation: boolean;
};

async function insertAttempts(
  transaction: Pick<TenantTransaction, 'client' | 'tenantId' | 'now'>,
  drafts: readonly DraftOf[],
): Promise<void> {
  const { client, tenantId, now } = transaction;
  const last = await reserveAttemptIds(transaction, drafts.length);
  const rows = drafts.map((one, index) => attemptRow(one, last - drafts.length + 1 + index));
  await client.query({
    name: 'insert-call-attempts',
    text: `insert into call_attempts (tenant_id, started_at, due_at, status, outcome, reason, id, call_id, notice_id, tag_id,
             call_group_id, user_id, user_name, medium, address, message, attempt, search_text, escalation_id, target, step,
             try, priority, urgency, avoid, station_id)
           select $1, $3, $3, 'Queued', 'queued', a.reason, a.id, a.call_id, a.notice_id, a.tag_id, a.call_group_id,
             a.user_id, a.user_name, a.medium, a.address, a.message, a.attempt, a.search_text, a.escalation_id, a.target, a.step, a.try,
             a.priority, a.urgency, a.avoid,
             -- Further attempts of a request have the station of the first one, so that the same users see them.
             case when a.call_id is null or a.try = 1 then a.station_id else (
               select f.station_id from call_attempts f where f.tenant_id = $1 and f.escalation_id = a.escalation_id
                 and f.user_id = a.user_id order by f.id limit 1) end
           from json_to_recordset($2) as a(id bigint, call_id bigint, notice_id bigint, tag_id bigint, call_group_id bigint,
             station_id bigint, user_id bigint, user_name text, medium text, address text, message text,
             attempt integer, search_text text, escalation_id bigint, target integer, step integer, try integer,
             priority bigint, urgency integer, avoid bigint[], reason text)`,
    values: [tenantId, JSON.stringify(rows), now],
  });
}

function attemptRow({ work, draft, name, shown, isFirstOfStation }: DraftOf, id: number) {
  const { plan } = work;
  const { priority } = plan;
  // A code is a secret of the person: it stands in the plan only, until it was sent.
  const text = plan.message.notice === 'code' ? '' : plan.message.text;
  return {
    id,
    call_id: work.callId,
    notice_id: work.noticeId ?? null,
    tag_id: work.tagId,
    call_group_id: draft.groupId || null,
    station_id: shown ? (shown.stationOf.get(draft.userId) ?? null) : work.stationId,
    reason: shown?.reason ?? '',
    user_id: draft.userId,
    user_name: name,
    medium: draft.medium.kind,
    address: draft.medium.address,
    message: text,
    attempt: draft.try,
    search_text: searchText([name, text, draft.medium.kind]),
    escalation_id: work.id,
    target: draft.target,
    step: draft.step,
    try: draft.try,
    priority,
    urgency: plan.occasion === 'notice' ? 2 : isUrgent({ priority, isFirstOfStation }) ? 0 : 1,
    avoid: draft.avoidChannels,
  };
}

/** Reserves ids of attempts and returns the last one. */
async function reserveAttemptIds({ client, tenantId }: BareTransaction, count: number): Promise<number> {
  const { rows } = await client.query<{ last: number }>({
    name: 'reserve-attempt-ids',
    text: `insert into id_counters as c (tenant_id, kind, last) values ($1, 'call-attempt', $2)
           on conflict (tenant_id, kind) do update set last = c.last + $2 returning last`,
    values: [tenantId, count],
  });
  return rows[0]?.last ?? 0;
}

/** Withdraws queued attempts; the others are hung up by a dispatcher. */
async function hangUpAttempts(
  { client, tenantId, now }: TenantTransaction,
  ids: readonly number[],
): Promise<void> {
  await client.query({
    name: 'hang-up-attempts',
    text: `with hung_up as (
             ${endAttempts}
             where a.tenant_id = $1 and a.id = any ($2::bigint[]) and a.ended_at is null
             returning a.id, a.escalation_id, a.outcome
           ), withdrawn as (select * from hung_up where outcome = 'cancelled')
           ${insertAttemptEvents('withdrawn')}`,
    values: [tenantId, ids, now],
  });
}

async function insertEvents(
  { client, tenantId, now }: TenantTransaction,
  events: readonly { escalationId: number; kind: string; detail: object }[],
): Promise<void> {
  await client.query({
    name: 'insert-escalation-events',
    text: `insert into escalation_events (tenant_id, escalation_id, number, at, kind, detail)
           select $1, n."escalationId", row_number() over (partition by n."escalationId" order by n.place)
             + coalesce((select max(o.number) from escalation_events o where o.tenant_id = $1 and o.escalation_id = n."escalationId"), 0),
             $3, n.kind, n.detail
           from rows from (json_to_recordset($2) as ("escalationId" bigint, kind text, detail jsonb)) with ordinality
             as n("escalationId", kind, detail, place)`,
    values: [tenantId, JSON.stringify(events), now],
  });
}

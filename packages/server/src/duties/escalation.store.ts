import type { AttemptDraft, EscalationState, Notice } from '@tocsin/domain';
import { isUrgent, searchText } from '@tocsin/domain';
import type { BareTransaction, TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { CallDirectory } from './call-directory.ts';
import type { DutyWork, Rotation } from './duty-work.store.ts';
import { alarmsOf } from './escalation-alarm.ts';
import { listFirstsOfPlant } from './first-of-plant.store.ts';
import { countTries, raiseSystemAlarms } from './system-alarm.store.ts';
import { tellClosed, tellOf } from './tiding.store.ts';

/** What the escalation made of a duty. */
export type Escalated = {
  work: Pick<DutyWork, 'id' | 'plan' | 'tagId' | 'callId' | 'stationId'>;
  state: EscalationState;
  rotation: Rotation;
  /** For names. */
  directory: CallDirectory;
  attempts: readonly AttemptDraft[];
  hangUp: readonly number[];
  /** Undefined when there is nothing more to do: the duty is closed. */
  wakeAt: Date | undefined;
  notices: readonly Notice[];
  /** What the attempts show besides, where their duty does not tell. */
  shown?: { stationOf: ReadonlyMap<number, number | null>; reason: string };
};

/** So many at a time: each carries the whole message. */
const attemptsPerInsert = 100;

/** Stores states, attempts and notices; the leases end with it. */
export async function saveEscalated(
  transaction: TenantTransaction,
  escalated: readonly Escalated[],
): Promise<void> {
  await saveDuties(transaction, escalated);
  const calling = escalated.filter(({ attempts }) => attempts.length > 0);
  const firsts = await listFirstsOfPlant(
    transaction,
    calling.map(({ work: { id, stationId, plan } }) => ({ id, stationId, priority: plan.priority })),
  );
  const drafts = calling.flatMap(({ work, attempts, shown, directory }) =>
    attempts.map((draft) => ({
      work,
      draft,
      shown,
      name: directory.people.get(draft.userId)?.name ?? '',
      firstOfPlant: firsts.has(work.id),
    })),
  );
  for (let start = 0; start < drafts.length; start += attemptsPerInsert)
    await insertAttempts(transaction, drafts.slice(start, start + attemptsPerInsert));
  const hangUp = escalated.flatMap((one) => one.hangUp);
  if (hangUp.length > 0) await hangUpAttempts(transaction, hangUp);
  const notices = escalated.flatMap(({ work, notices: some }) =>
    some.map(({ kind, ...detail }) => ({ dutyId: work.id, kind, detail })),
  );
  if (notices.length === 0) return;
  await insertNotices(transaction, notices);
  const dutyIds = notices.flatMap(({ kind, dutyId }) => (kind === 'exhausted' ? [dutyId] : []));
  const tries = await countTries(transaction, dutyIds);
  const alarms = escalated.flatMap((one) => alarmsOf(one, tries.get(one.work.id)));
  if (alarms.length > 0) await raiseSystemAlarms(transaction, alarms, transaction.now);
}

async function saveDuties(
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
    name: 'save-duties',
    text: `with saved as (
             update duties d set state = e.state, rotation = e.rotation, due_at = e.due, lease_until = null,
               closed_at = case when e.reason is null then null else $3::timestamptz end, closed_reason = e.reason
             from json_to_recordset($2) as e(id bigint, state jsonb, rotation jsonb, due timestamptz, reason text)
             where d.tenant_id = $1 and d.id = e.id returning d.id, d.closed_at
           ), closed as (select id from saved where closed_at is not null)
           ${tellClosed}`,
    values: [tenantId, JSON.stringify(rows), now],
  });
}

type DraftOf = Pick<Escalated, 'work'> & {
  draft: AttemptDraft;
  name: string;
  shown: Escalated['shown'];
  firstOfPlant: boolean;
};

async function insertAttempts(
  transaction: Pick<TenantTransaction, 'client' | 'tenantId' | 'now'>,
  drafts: readonly DraftOf[],
): Promise<void> {
  const { client, tenantId, now } = transaction;
  const last = await takeAttemptIds(transaction, drafts.length);
  const rows = drafts.map((one, index) => attemptRow(one, last - drafts.length + 1 + index));
  await client.query({
    name: 'insert-call-attempts',
    text: `insert into call_attempts (tenant_id, started_at, due_at, status, outcome, reason, id, call_id, tag_id,
             call_group_id, user_id, user_name, medium, address, message, attempt, search_text, duty_id, target, step,
             try, priority, urgency, avoid, station_id)
           select $1, $3, $3, 'Queued', 'queued', a.reason, a.id, a.call_id, a.tag_id, a.call_group_id, a.user_id,
             a.user_name, a.medium, a.address, a.message, a.attempt, a.search_text, a.duty_id, a.target, a.step, a.try,
             a.priority, a.urgency, a.avoid,
             -- Whoever sees that somebody was called for a request sees that he was called again.
             case when a.call_id is null or a.try = 1 then a.station_id else (
               select f.station_id from call_attempts f where f.tenant_id = $1 and f.duty_id = a.duty_id
                 and f.user_id = a.user_id order by f.id limit 1) end
           from json_to_recordset($2) as a(id bigint, call_id bigint, tag_id bigint, call_group_id bigint,
             station_id bigint, user_id bigint, user_name text, medium text, address text, message text,
             attempt integer, search_text text, duty_id bigint, target integer, step integer, try integer,
             priority bigint, urgency integer, avoid bigint[], reason text)`,
    values: [tenantId, JSON.stringify(rows), now],
  });
}

function attemptRow({ work, draft, name, shown, firstOfPlant }: DraftOf, id: number) {
  const { plan } = work;
  const { priority } = plan;
  const { text } = plan.message;
  return {
    id,
    call_id: work.callId,
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
    duty_id: work.id,
    target: draft.target,
    step: draft.step,
    try: draft.try,
    priority,
    urgency: isUrgent({ priority, firstOfPlant }) ? 0 : 1,
    avoid: draft.avoidChannels,
  };
}

/** The last of so many numbers. */
async function takeAttemptIds({ client, tenantId }: BareTransaction, count: number): Promise<number> {
  const { rows } = await client.query<{ last: number }>({
    name: 'take-attempt-ids',
    text: `insert into counters as c (tenant_id, kind, last) values ($1, 'call-attempt', $2)
           on conflict (tenant_id, kind) do update set last = c.last + $2 returning last`,
    values: [tenantId, count],
  });
  return rows[0]?.last ?? 0;
}

/** Those that nobody has taken up are withdrawn at once; the others are hung up by a dispatcher. */
async function hangUpAttempts(
  { client, tenantId, now }: TenantTransaction,
  ids: readonly number[],
): Promise<void> {
  await client.query({
    name: 'hang-up-attempts',
    text: `with hung_up as (
             update call_attempts set hang_up_at = $3, late_race = outcome = 'calling',
               status = case when outcome = 'queued' then 'Cancelled' else status end,
               ended_at = case when outcome = 'queued' then $3 else ended_at end,
               outcome = case when outcome = 'queued' then 'cancelled' else outcome end
             where tenant_id = $1 and id = any ($2::bigint[]) and ended_at is null returning id, duty_id, outcome
           ), withdrawn as (select * from hung_up where outcome = 'cancelled')
           ${tellOf('withdrawn')}`,
    values: [tenantId, ids, now],
  });
}

async function insertNotices(
  { client, tenantId, now }: TenantTransaction,
  notices: readonly { dutyId: number; kind: string; detail: object }[],
): Promise<void> {
  await client.query({
    name: 'insert-duty-notices',
    text: `insert into duty_notices (tenant_id, duty_id, number, at, kind, detail)
           select $1, n."dutyId", row_number() over (partition by n."dutyId" order by n.place)
             + coalesce((select max(o.number) from duty_notices o where o.tenant_id = $1 and o.duty_id = n."dutyId"), 0),
             $3, n.kind, n.detail
           from rows from (json_to_recordset($2) as ("dutyId" bigint, kind text, detail jsonb)) with ordinality
             as n("dutyId", kind, detail, place)`,
    values: [tenantId, JSON.stringify(notices), now],
  });
}

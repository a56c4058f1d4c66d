import type { RaiseAlarm } from '@tocsin/contract';
import type { BareTransaction, TenantTransaction } from '../postgres/tenant-transaction.ts';

/** What a system alarm may be besides: of the highest priority and at the first station by default. */
export type SystemAlarmMore = Pick<RaiseAlarm, 'priority' | 'stationId' | 'resetMessage'>;

/** Something that operators are to hear of by an alarm, until its cause has ended. */
export type SystemAlarmDraft = {
  /** Below `tocsin/`. */
  path: string;
  /** Tells by what it is seen that the cause has ended; whoever adds one adds how to see it. */
  kind: string;
  subject: number;
  /** While the alarm is raised it is told anew only when this differs. */
  cause: string;
  message: string;
  more: SystemAlarmMore;
};

/** To be written in the transaction that finds the cause: the alarm itself follows, whoever lives to post it. */
export async function raiseSystemAlarms(
  { client, tenantId }: BareTransaction,
  drafts: readonly SystemAlarmDraft[],
  now: Date,
): Promise<void> {
  // In the order of paths, so that no two writers wait for each other; each path once, or it would be changed twice.
  const rows = [...new Map(drafts.map((draft) => [draft.path, draft])).values()].toSorted((one, other) =>
    one.path < other.path ? -1 : 1,
  );
  await client.query({
    name: 'raise-system-alarms',
    text: `insert into system_alarms as s (tenant_id, path, kind, subject, cause, message, more, raised, changed_at)
           select $1, d.path, d.kind, d.subject, d.cause, d.message, d.more, true, $3
           from json_to_recordset($2) as d(path text, kind text, subject bigint, cause text, message text, more jsonb)
           on conflict (tenant_id, path) do update set kind = excluded.kind, subject = excluded.subject,
             cause = excluded.cause, message = excluded.message, more = excluded.more, raised = true,
             changed_at = $3, version = s.version + 1
           where not s.raised or s.cause <> excluded.cause`,
    values: [tenantId, JSON.stringify(rows), now],
  });
}

export type RaisedSystemAlarm = Pick<SystemAlarmDraft, 'path' | 'kind' | 'subject'> & { version: number };

export async function listRaisedSystemAlarms(transaction: TenantTransaction): Promise<RaisedSystemAlarm[]> {
  return transaction
    .selectFrom('systemAlarms')
    .select(['path', 'kind', 'subject', 'version'])
    .where('tenantId', '=', transaction.tenantId)
    .where('raised', '=', true)
    .execute();
}

/** Their causes have ended, unless they have been found anew since. */
export async function endSystemAlarms(
  { client, tenantId, now }: TenantTransaction,
  ended: readonly RaisedSystemAlarm[],
): Promise<void> {
  await client.query({
    name: 'end-system-alarms',
    text: `update system_alarms s set raised = false, changed_at = $4, version = s.version + 1
           from unnest($2::text[], $3::integer[]) as e(path, version)
           where s.tenant_id = $1 and s.path = e.path and s.version = e.version`,
    values: [tenantId, ended.map(({ path }) => path), ended.map(({ version }) => version), now],
  });
}

/** What was made of tries to call people for a duty. */
export type Tries = {
  names: string[];
  groupIds: number[];
  made: number;
  /** Those that a telephone or a mailbox can have got. */
  gotThrough: number;
  lastReason: string;
};

export async function countTries(
  { client, tenantId }: TenantTransaction,
  dutyIds: readonly number[],
): Promise<Map<number, Tries>> {
  if (dutyIds.length === 0) return new Map();
  const { rows } = await client.query<Tries & { duty_id: number }>({
    name: 'count-tries',
    text: `select c.duty_id, array_agg(distinct c.user_name) as names, count(*)::integer as made,
             coalesce(array_agg(distinct c.call_group_id) filter (where c.call_group_id is not null), '{}') as "groupIds",
             (count(*) filter (where c.outcome not in ('failed', 'unknown', 'calling')))::integer as "gotThrough",
             coalesce((array_agg(c.reason order by c.id desc) filter (where c.reason <> ''))[1], '') as "lastReason"
           from call_attempts c
           where c.tenant_id = $1 and c.duty_id = any ($2::bigint[])
             and (c.sent_at is not null or c.outcome = 'failed')
           group by c.duty_id`,
    values: [tenantId, dutyIds],
  });
  return new Map(rows.map(({ duty_id, ...tries }) => [duty_id, tries]));
}

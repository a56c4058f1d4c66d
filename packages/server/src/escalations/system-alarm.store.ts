import type { RaiseAlarm } from '@tocsin/contract';
import type { Statement } from '../postgres/statement.ts';
import type { BareTransaction, TenantTransaction } from '../postgres/tenant-transaction.ts';

/** Optional members of a system alarm. By default it has the highest priority and belongs to the first station. */
export type SystemAlarmExtras = Pick<RaiseAlarm, 'priority' | 'stationId' | 'resetMessage'>;

/** An alarm about the system itself, which lasts until its cause has ended. */
export type SystemAlarmDraft = {
  /** Below `tocsin/`. */
  path: string;
  /** Decides how the end of the cause is detected: a new kind needs its own check. */
  kind: string;
  subject: number;
  /** While the alarm is raised, it is sent again only if the cause differs. */
  cause: string;
  message: string;
  extraMembers: SystemAlarmExtras;
};

/** Stores system alarms in the transaction that finds their cause; a dispatcher posts them afterwards. */
export async function raiseSystemAlarms(
  { client, tenantId }: BareTransaction,
  drafts: readonly SystemAlarmDraft[],
  now: Date,
): Promise<void> {
  await client.query(systemAlarmStatement(tenantId, drafts, now));
}

export function systemAlarmStatement(
  tenantId: number,
  drafts: readonly SystemAlarmDraft[],
  now: Date,
): Statement {
  // In the order of paths, so that writers cannot deadlock; each path once, because a statement changes a row once.
  const rows = [...new Map(drafts.map((draft) => [draft.path, draft])).values()].toSorted((one, other) =>
    one.path < other.path ? -1 : 1,
  );
  return {
    name: 'raise-system-alarms',
    text: `insert into system_alarms as s (tenant_id, path, kind, subject, cause, message, extra_members, raised, changed_at)
           select $1, d.path, d.kind, d.subject, d.cause, d.message, d."extraMembers", true, $3
           from json_to_recordset($2) as d(path text, kind text, subject bigint, cause text, message text, "extraMembers" jsonb)
           on conflict (tenant_id, path) do update set kind = excluded.kind, subject = excluded.subject,
             cause = excluded.cause, message = excluded.message, extra_members = excluded.extra_members, raised = true,
             changed_at = $3, version = s.version + 1
           where not s.raised or s.cause <> excluded.cause`,
    values: [tenantId, JSON.stringify(rows), now],
  };
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

/** Ends system alarms, except those that were raised again since they were read. */
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

/** A summary of an escalation's attempts. */
export type Tries = {
  names: string[];
  groupIds: number[];
  made: number;
  /** Attempts that can have reached a telephone or a mailbox. */
  gotThrough: number;
  lastReason: string;
};

export async function countTries(
  { client, tenantId }: TenantTransaction,
  escalationIds: readonly number[],
): Promise<Map<number, Tries>> {
  if (escalationIds.length === 0) return new Map();
  const { rows } = await client.query<Tries & { escalation_id: number }>({
    name: 'count-tries',
    text: `select c.escalation_id, array_agg(distinct c.user_name) as names, count(*)::integer as made,
             coalesce(array_agg(distinct c.call_group_id) filter (where c.call_group_id is not null), '{}') as "groupIds",
             (count(*) filter (where c.outcome not in ('failed', 'unknown', 'calling')))::integer as "gotThrough",
             coalesce((array_agg(c.reason order by c.id desc) filter (where c.reason <> ''))[1], '') as "lastReason"
           from call_attempts c
           where c.tenant_id = $1 and c.escalation_id = any ($2::bigint[])
             and (c.sent_at is not null or c.outcome = 'failed')
           group by c.escalation_id`,
    values: [tenantId, escalationIds],
  });
  return new Map(rows.map(({ escalation_id, ...tries }) => [escalation_id, tries]));
}

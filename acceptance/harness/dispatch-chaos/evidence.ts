import pg from 'pg';
import type { LogLine } from '../phone-company/protocol.ts';
import type { CallPolicy } from './call-policy.ts';
import { type ClaimRow, readClaims } from './claim-watch.ts';
import type { ClientLine } from './client-log.ts';
import type { HistoryReport } from './history-report.ts';
import type { FaultWindow } from './inject-faults.ts';

/** Times are epoch milliseconds. */
export type AlarmRow = {
  tenantId: number;
  tagId: number;
  path: string;
  message: string;
  priority: number;
  state: number;
  ackUser: string;
  occurrences: {
    id: number;
    raised: number;
    acknowledged: number | null;
    reset: number | null;
    repeats: number;
  }[];
};

export type EscalationRow = {
  tenantId: number;
  id: number;
  tagId: number;
  occurrenceId: number;
  opened: number;
  firstDue: number;
  closed: number | null;
  /** Commit time of the closing. */
  closingCommitted: number | null;
  closedReason: string | null;
  lease: number | null;
  /** Time of the event `exhausted`. */
  exhausted: number | null;
};

export type AttemptRow = {
  tenantId: number;
  id: number;
  escalationId: number;
  groupId: number;
  target: number;
  step: number;
  try: number;
  userId: number;
  medium: string;
  outcome: string;
  reason: string;
  sentAs: number | null;
  lateRace: boolean;
  created: number;
  sent: number | null;
  ended: number | null;
};

/** Number of journal entries of a kind about an occurrence, and the actor of the last one. */
export type JournalCount = {
  tenantId: number;
  occurrenceId: number;
  kind: string;
  entries: number;
  actor: string;
};

/** All that is known of a run, from three below that do not know of each other. */
export type Evidence = {
  alarms: AlarmRow[];
  escalations: EscalationRow[];
  attempts: AttemptRow[];
  journal: JournalCount[];
  claims: ClaimRow[];
  historyReports: HistoryReport[];
  /** Paths of system alarms. */
  systemPaths: Set<string>;
  clients: ClientLine[];
  /** Of both phone companies. */
  company: LogLine[];
  windows: FaultWindow[];
  policy: CallPolicy;
};

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

const alarmsText = `
  select t.tenant_id::integer as "tenantId", t.id::integer as "tagId", t.path, t.alarm_message as message,
    t.priority::integer, a.state::integer, a.ack_user as "ackUser",
    coalesce((select json_agg(json_build_object('id', o.id, 'raised', ${ms('o.raised_at')},
        'acknowledged', ${ms('o.acknowledged_at')}, 'reset', ${ms('o.reset_at')}, 'repeats', o.repeats) order by o.id)
      from occurrences o where o.tenant_id = t.tenant_id and o.tag_id = t.id), '[]') as occurrences
  from tags t join alarms a on a.tenant_id = t.tenant_id and a.tag_id = t.id where t.path like $1`;

const escalationsText = `
  select d.tenant_id::integer as "tenantId", d.id::integer, d.tag_id::integer as "tagId",
    d.occurrence_id::integer as "occurrenceId", ${ms('d.opened_at')} as opened, ${ms('d.first_due_at')} as "firstDue",
    ${ms('d.closed_at')} as closed, d.closed_reason as "closedReason", ${ms('d.lease_until')} as lease,
    (select ${ms('pg_xact_commit_timestamp(w.transaction)')} from watch.closings w
      where w.tenant_id = d.tenant_id and w.escalation_id = d.id) as "closingCommitted",
    (select ${ms('min(n.at)')} from escalation_events n
      where n.tenant_id = d.tenant_id and n.escalation_id = d.id and n.kind = 'exhausted') as exhausted
  from escalations d join tags t on t.tenant_id = d.tenant_id and t.id = d.tag_id where t.path like $1`;

const attemptsText = `
  select c.tenant_id::integer as "tenantId", c.id::integer, c.escalation_id::integer as "escalationId",
    coalesce(c.call_group_id, 0)::integer as "groupId", c.target, c.step, c.try,
    c.user_id::integer as "userId", c.medium, c.outcome, c.reason, c.sent_as::integer as "sentAs",
    c.late_race as "lateRace", ${ms('c.started_at')} as created, ${ms('c.sent_at')} as sent, ${ms('c.ended_at')} as ended
  from call_attempts c join tags t on t.tenant_id = c.tenant_id and t.id = c.tag_id where t.path like $1`;

const journalText = `
  select j.tenant_id::integer as "tenantId", j.occurrence_id::integer as "occurrenceId", j.kind, count(*)::integer as entries,
    (array_agg(j.actor order by j.seq desc))[1] as actor
  from journal j join tags t on t.tenant_id = j.tenant_id and t.id = j.tag_id where t.path like $1 group by 1, 2, 3`;

/** Reads the rows of a run as the owner of the database, without row-level security. */
export async function readDatabase(
  databaseUrl: string,
  seed: number,
): Promise<Omit<Evidence, 'clients' | 'company' | 'windows' | 'historyReports' | 'policy'>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const pathLike = `chaos/${seed}/%`;
    const like = [pathLike];
    const { rows: alarms } = await client.query<AlarmRow>(alarmsText, like);
    const { rows: escalations } = await client.query<EscalationRow>(escalationsText, like);
    const { rows: attempts } = await client.query<AttemptRow>(attemptsText, like);
    const { rows: journal } = await client.query<JournalCount>(journalText, like);
    const claims = await readClaims(client, pathLike);
    const { rows: system } = await client.query<{ place: string }>(
      `select tenant_id || ' ' || path as place from tags where path like 'tocsin/%'`,
    );
    const systemPaths = new Set(system.map(({ place }) => place));
    return { alarms, escalations, attempts, journal, claims, systemPaths };
  } finally {
    await client.end();
  }
}

/** The tenant and the attempt in the id of an order. */
export function attemptOf({ attemptId }: LogLine): string {
  const [, tenantId, id] = attemptId.split('-');
  return `${tenantId} ${id}`;
}

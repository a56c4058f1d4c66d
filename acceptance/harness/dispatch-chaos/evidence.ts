import pg from 'pg';
import type { LogLine } from '../phone-company/protocol.ts';
import type { CallPolicy } from './call-policy.ts';
import { type ClaimRow, readClaims } from './claim-watch.ts';
import type { ClientLine } from './client-log.ts';
import type { Ledger } from './ledger.ts';
import type { Window } from './nemesis.ts';

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

export type DutyRow = {
  tenantId: number;
  id: number;
  tagId: number;
  occurrenceId: number;
  opened: number;
  firstDue: number;
  closed: number | null;
  /** When everybody could know that it is closed. */
  closingCommitted: number | null;
  closedReason: string | null;
  lease: number | null;
  /** When it was said that everybody was tried. */
  exhausted: number | null;
};

export type AttemptRow = {
  tenantId: number;
  id: number;
  dutyId: number;
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

/** So many journal entries of a kind there are about an occurrence, the last of them by that actor. */
export type JournalCount = {
  tenantId: number;
  occurrenceId: number;
  kind: string;
  entries: number;
  actor: string;
};

/** All that is known of a run, from three sides that do not know of each other. */
export type Evidence = {
  alarms: AlarmRow[];
  duties: DutyRow[];
  attempts: AttemptRow[];
  journal: JournalCount[];
  claims: ClaimRow[];
  ledgers: Ledger[];
  /** Paths of what the system said of itself. */
  systemPaths: Set<string>;
  clients: ClientLine[];
  /** Of both phone companies. */
  company: LogLine[];
  windows: Window[];
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

const dutiesText = `
  select d.tenant_id::integer as "tenantId", d.id::integer, d.tag_id::integer as "tagId",
    d.occurrence_id::integer as "occurrenceId", ${ms('d.opened_at')} as opened, ${ms('d.first_due_at')} as "firstDue",
    ${ms('d.closed_at')} as closed, d.closed_reason as "closedReason", ${ms('d.lease_until')} as lease,
    (select ${ms('pg_xact_commit_timestamp(w.transaction)')} from watch.closings w
      where w.tenant_id = d.tenant_id and w.duty_id = d.id) as "closingCommitted",
    (select ${ms('min(n.at)')} from duty_notices n
      where n.tenant_id = d.tenant_id and n.duty_id = d.id and n.kind = 'exhausted') as exhausted
  from duties d join tags t on t.tenant_id = d.tenant_id and t.id = d.tag_id where t.path like $1`;

const attemptsText = `
  select c.tenant_id::integer as "tenantId", c.id::integer, c.duty_id::integer as "dutyId",
    coalesce(c.call_group_id, 0)::integer as "groupId", c.target, c.step, c.try,
    c.user_id::integer as "userId", c.medium, c.outcome, c.reason, c.sent_as::integer as "sentAs",
    c.late_race as "lateRace", ${ms('c.started_at')} as created, ${ms('c.sent_at')} as sent, ${ms('c.ended_at')} as ended
  from call_attempts c join tags t on t.tenant_id = c.tenant_id and t.id = c.tag_id where t.path like $1`;

const journalText = `
  select j.tenant_id::integer as "tenantId", j.occurrence_id::integer as "occurrenceId", j.kind, count(*)::integer as entries,
    (array_agg(j.actor order by j.seq desc))[1] as actor
  from journal j join tags t on t.tenant_id = j.tenant_id and t.id = j.tag_id where t.path like $1 group by 1, 2, 3`;

/** Reads what the database holds of a run, as the owner of everything and past every rule of the server. */
export async function readDatabase(
  databaseUrl: string,
  seed: number,
): Promise<Omit<Evidence, 'clients' | 'company' | 'windows' | 'ledgers' | 'policy'>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const pathLike = `chaos/${seed}/%`;
    const like = [pathLike];
    const { rows: alarms } = await client.query<AlarmRow>(alarmsText, like);
    const { rows: duties } = await client.query<DutyRow>(dutiesText, like);
    const { rows: attempts } = await client.query<AttemptRow>(attemptsText, like);
    const { rows: journal } = await client.query<JournalCount>(journalText, like);
    const claims = await readClaims(client, pathLike);
    const { rows: system } = await client.query<{ place: string }>(
      `select tenant_id || ' ' || path as place from tags where path like 'tocsin/%'`,
    );
    const systemPaths = new Set(system.map(({ place }) => place));
    return { alarms, duties, attempts, journal, claims, systemPaths };
  } finally {
    await client.end();
  }
}

/** The tenant and the attempt that an order names, after the name of the installation. */
export function attemptOf({ attemptId }: LogLine): string {
  const [, tenantId, id] = attemptId.split('-');
  return `${tenantId} ${id}`;
}

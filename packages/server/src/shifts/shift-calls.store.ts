import { type CallGroup, largestSummaryList } from '@tocsin/contract';
import { sql } from 'kysely';
import type { CallStatus } from '../calls/call.store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { countOf, type Listed, type SummaryScope } from './shift-summary.store.ts';

export type FailedCallRow = {
  id: number;
  tagId: number | null;
  userName: string;
  medium: string;
  status: CallStatus;
  reason: string;
  message: string;
  endedAt: Date;
};

/** Attempts that reached nobody. Notices, such as tests, are no calls. */
export async function listFailedCalls(
  transaction: TenantTransaction,
  { from, to, stationIds }: SummaryScope,
): Promise<Listed<FailedCallRow>> {
  const atStations =
    stationIds === undefined ? sql`true` : sql`c.station_id = any(${[...stationIds]}::bigint[])`;
  const failed = sql`
    from call_attempts c
    where c.tenant_id = ${transaction.tenantId} and c.ended_at >= ${from} and c.ended_at < ${to}
      and c.status in ('NoAnswer', 'Busy', 'Rejected', 'Failed') and c.notice_id is null and ${atStations}`;
  const { rows } = await sql<FailedCallRow>`
    select c.id, c.tag_id, c.user_name, c.medium, c.status, c.reason, c.message, c.ended_at ${failed}
    order by c.ended_at desc, c.id desc limit ${largestSummaryList}`.execute(transaction);
  return { total: await countOf(transaction, failed), items: rows };
}

/** A change of a call group in the audit trail; null where it did not exist. */
export type RosterChangeRow = {
  at: Date;
  user: string;
  before: CallGroup | null;
  after: CallGroup | null;
};

/** Changes of slots or overrides, as the audit trail has them. */
export async function listRosterChanges(
  transaction: TenantTransaction,
  { from, to, stationIds }: SummaryScope,
): Promise<Listed<RosterChangeRow>> {
  const visible =
    stationIds === undefined
      ? sql`true`
      : sql`coalesce(e.after ->> 'stationId', e.before ->> 'stationId')::bigint = any(${[0, ...stationIds]}::bigint[])`;
  const differs = (part: string) =>
    sql`coalesce(e.before #> ${`{roster,${part}}`}, '[]') <> coalesce(e.after #> ${`{roster,${part}}`}, '[]')`;
  const changes = sql`
    from (
      select a.number, a.at, a.entry::jsonb #>> '{actor,name}' as user_name,
        nullif(a.entry::jsonb -> 'before', 'null') as before, nullif(a.entry::jsonb -> 'after', 'null') as after
      from audit_entries a
      where a.tenant_id = ${transaction.tenantId} and a.at >= ${from} and a.at < ${to}
        and a.action in ('call-group.create', 'call-group.change', 'call-group.delete')
    ) e
    where (${differs('slots')} or ${differs('overrides')}) and ${visible}`;
  const { rows } = await sql<RosterChangeRow>`
    select e.at, e.user_name as user, e.before, e.after ${changes}
    order by e.number desc limit ${largestSummaryList}`.execute(transaction);
  return { total: await countOf(transaction, changes), items: rows };
}

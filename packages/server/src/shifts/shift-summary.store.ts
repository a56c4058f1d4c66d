import { type Alarm, largestSummaryList } from '@tocsin/contract';
import { stateBits } from '@tocsin/domain';
import { type RawBuilder, sql } from 'kysely';
import { automaticUser } from '../alarms/decide/alarm-change.ts';
import { currentAlarms } from '../alarms/store/current-alarms.store.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The period of a summary, and the stations it is about; undefined means all. */
export type SummaryScope = {
  from: Date;
  to: Date;
  stationIds: readonly number[] | undefined;
};

/** The newest items, and the number of all. */
export type Listed<Item> = { total: number; items: Item[] };

function ofStations(column: string, { stationIds }: SummaryScope): RawBuilder<boolean> {
  if (stationIds === undefined) return sql<boolean>`true`;
  return sql<boolean>`${sql.ref(column)} = any(${[...stationIds]}::bigint[])`;
}

export async function countRaised(
  transaction: TenantTransaction,
  scope: SummaryScope,
): Promise<{ priority: number; raised: number }[]> {
  const { tenantId } = transaction;
  const { rows } = await sql<{ priority: number; raised: number }>`
    select o.priority, count(*) as raised from occurrences o
    where o.tenant_id = ${tenantId} and o.raised_at >= ${scope.from} and o.raised_at < ${scope.to}
      and ${occurredAtStations(tenantId, scope)}
    group by o.priority order by o.priority`.execute(transaction);
  return rows;
}

/** The station of an occurrence is that of its text. */
function occurredAtStations(tenantId: number, scope: SummaryScope): RawBuilder<boolean> {
  if (scope.stationIds === undefined) return sql<boolean>`true`;
  return sql<boolean>`o.text_id in (
    select x.id from texts x where x.tenant_id = ${tenantId} and ${ofStations('x.station_id', scope)})`;
}

export type OpenAlarmRow = {
  id: number;
  name: string;
  message: string;
  priority: number;
  state: number;
  raisedAt: Date;
  ackUser: string;
  comment: string;
};

const condition = stateBits.active | stateBits.unacknowledged;

/** Alarms that are open now and were raised before the end of the period, urgent ones first. */
export async function listOpen(
  transaction: TenantTransaction,
  scope: SummaryScope,
): Promise<Listed<OpenAlarmRow>> {
  const { tenantId } = transaction;
  // Alarms first, then their tags by key: without statistics the planner would compare each alarm with each tag.
  const open = sql`
    from (
      select a.* from ${sql.raw(currentAlarms)} where r.tenant_id = ${tenantId} and a.state & ${condition} <> 0
        and a.raised_at < ${scope.to} offset 0
    ) a cross join lateral (
      select * from tags where tenant_id = ${tenantId} and id = a.tag_id and ${ofStations('station_id', scope)} offset 0
    ) t`;
  const { rows } = await sql<OpenAlarmRow>`
    select t.id, t.localized_name as name, t.alarm_message as message, t.priority, a.state, a.raised_at,
      a.ack_user, a.comment ${open}
    order by t.priority, a.raised_at desc, t.id limit ${largestSummaryList}`.execute(transaction);
  return { total: await countOf(transaction, open), items: rows };
}

export async function countOf(transaction: TenantTransaction, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${from}`.execute(transaction);
  return rows[0]?.total ?? 0;
}

/** The numbers of the journal entries of the period: from the first, before the last. */
export type JournalRange = { first: number; end: number };

export async function findJournalRange(
  transaction: TenantTransaction,
  { from, to }: SummaryScope,
): Promise<JournalRange> {
  const { rows } = await sql<JournalRange>`
    select first_journal_seq(${from}) as first, first_journal_seq(${to}) as "end"`.execute(transaction);
  return rows[0] ?? { first: 0, end: 0 };
}

type JournalKind = 'reset' | 'acknowledged' | 'masked' | 'unmasked';

export type JournalRow = { at: Date; actor: string; detail: string; alarm: Alarm };

/** Entries of one kind in the period. `more` is a further condition on journal `j`. */
function entriesOf(
  { tenantId }: TenantTransaction,
  scope: SummaryScope & JournalRange,
  { kind, more = sql`true` }: { kind: JournalKind; more?: RawBuilder<unknown> },
): RawBuilder<unknown> {
  return sql`
    from journal j
    where j.tenant_id = ${tenantId} and j.seq >= ${scope.first} and j.seq < ${scope.end}
      and j.at >= ${scope.from} and j.at < ${scope.to} and j.kind = ${kind}
      and ${ofStations('j.station_id', scope)} and ${more}`;
}

async function listEntries(
  transaction: TenantTransaction,
  entries: RawBuilder<unknown>,
): Promise<Listed<JournalRow>> {
  const { rows } = await sql<JournalRow>`
    select j.at, j.actor, j.detail, j.alarm ${entries}
    order by j.seq desc limit ${largestSummaryList}`.execute(transaction);
  return { total: await countOf(transaction, entries), items: rows };
}

/** Resets of alarms that nobody had acknowledged; those of tag groups that acknowledge automatically are among them. */
export function listReturned(
  transaction: TenantTransaction,
  scope: SummaryScope & JournalRange,
): Promise<Listed<JournalRow>> {
  // The name of the server is looked at first: people can have it, but few rows are then looked up.
  const more = sql`case
    when (j.alarm ->> 'state')::bigint & ${stateBits.unacknowledged} <> 0 then true
    when j.alarm ->> 'ackUser' <> ${automaticUser} then false
    else exists (
      select from occurrences o where o.tenant_id = ${transaction.tenantId} and o.id = j.occurrence_id
        and o.ack_user_id = 0 and o.acknowledged_at = o.reset_at and o.reset_at = j.at)
    end`;
  return listEntries(transaction, entriesOf(transaction, scope, { kind: 'reset', more }));
}

export function listOfKind(
  transaction: TenantTransaction,
  scope: SummaryScope & JournalRange,
  kind: Exclude<JournalKind, 'reset'>,
): Promise<Listed<JournalRow>> {
  return listEntries(transaction, entriesOf(transaction, scope, { kind }));
}

export type TakerRow = { user: string; userId: string; taken: number; lastAt: Date };

/** Who acknowledged how many, the busiest first. */
export async function listTakers(
  transaction: TenantTransaction,
  scope: SummaryScope & JournalRange,
): Promise<TakerRow[]> {
  const { rows } = await sql<TakerRow>`
    select max(j.actor) as user, coalesce(j.actor_id, '') as user_id, count(*) as taken, max(j.at) as last_at
    ${entriesOf(transaction, scope, { kind: 'acknowledged' })}
    group by j.actor_id, case when j.actor_id is null then j.actor end
    order by taken desc, user_id limit ${largestSummaryList}`.execute(transaction);
  return rows;
}

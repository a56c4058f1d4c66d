import type { DurationSum, InterventionSums } from '@tocsin/domain';
import { type RawBuilder, sql } from 'kysely';
import type { PageRequest } from '../http/page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { filterOccurrences, type OccurrenceFilter } from './occurrence-filter.store.ts';

/** An occurrence with what its tag, its text and its station say of it today. */
export type OccurrenceRow = {
  id: number;
  tagId: number;
  tagName: string | null;
  message: string | null;
  comment: string | null;
  priority: number;
  raisedAt: Date;
  acknowledgedAt: Date | null;
  resetAt: Date | null;
  timeZone: string | null;
};

export type StatisticRow = DurationSum & {
  tagId: number;
  tagName: string | null;
  message: string | null;
  shortMessage: string | null;
  priority: number | null;
};

export type InterventionRow = { userId: number; lastOccurrenceId: number; sums: InterventionSums };

export async function listOccurrences(
  transaction: TenantTransaction,
  filter: OccurrenceFilter,
  { offset, limit, descending }: PageRequest,
): Promise<OccurrenceRow[]> {
  const { tenantId } = transaction;
  const order = descending ? 'desc' : 'asc';
  // The page first, then the joins: passing over many rows costs no look at their texts.
  const page = filterOccurrences(transaction, filter)
    .selectAll()
    .orderBy('id', order)
    .offset(offset)
    .limit(limit)
    .as('page');
  return transaction
    .selectFrom(page)
    .leftJoin('texts', (join) =>
      join.onRef('texts.id', '=', 'page.textId').on('texts.tenantId', '=', tenantId),
    )
    .leftJoin('tags', (join) => join.onRef('tags.id', '=', 'page.tagId').on('tags.tenantId', '=', tenantId))
    .leftJoin('stations', (join) =>
      join.onRef('stations.id', '=', 'page.stationId').on('stations.tenantId', '=', tenantId),
    )
    .select([
      'page.id',
      'page.tagId',
      'page.priority',
      'page.raisedAt',
      'page.acknowledgedAt',
      'page.resetAt',
    ])
    .select(['tags.name as tagName', 'texts.message', 'texts.comment', 'stations.timeZone'])
    .orderBy('page.id', order)
    .execute();
}

export function countOccurrences(transaction: TenantTransaction, filter: OccurrenceFilter): Promise<number> {
  return countOf(transaction, filter, sql`count(*)`);
}

/** One row per tag that has occurrences, with their number and whole seconds; means are the domain's to make. */
export async function listStatistics(
  transaction: TenantTransaction,
  filter: OccurrenceFilter,
  { offset, limit, descending }: PageRequest,
): Promise<StatisticRow[]> {
  const { tenantId, now } = transaction;
  const order = descending ? 'desc' : 'asc';
  const stillActiveUntil = filter.to && filter.to < now ? filter.to : now;
  const end = sql`coalesce(reset_at, ${stillActiveUntil}::timestamptz)`;
  const page = filterOccurrences(transaction, filter)
    .select(['tagId', sql<number>`count(*)`.as('count')])
    .select(sql<number>`sum(greatest(0, ${secondsBetween(sql`raised_at`, end)}))`.as('totalSeconds'))
    .groupBy('tagId')
    .orderBy('tagId', order)
    .offset(offset)
    .limit(limit)
    .as('page');
  return transaction
    .selectFrom(page)
    .leftJoin('tags', (join) => join.onRef('tags.id', '=', 'page.tagId').on('tags.tenantId', '=', tenantId))
    .select(['page.tagId', 'page.count', 'page.totalSeconds', 'tags.name as tagName', 'tags.priority'])
    .select(['tags.alarmMessage as message', 'tags.alarmShortMessage as shortMessage'])
    .orderBy('page.tagId', order)
    .execute();
}

export function countStatistics(transaction: TenantTransaction, filter: OccurrenceFilter): Promise<number> {
  return countOf(transaction, filter, sql`count(distinct tag_id)`);
}

/** Acknowledged by a person: the server itself and machines leave 0. */
const byAUser = sql<boolean>`ack_user_id > 0`;

export async function listInterventions(
  transaction: TenantTransaction,
  filter: OccurrenceFilter,
  { offset, limit, descending }: PageRequest,
): Promise<InterventionRow[]> {
  const reaction = inOrder(sql`raised_at`, sql`acknowledged_at`);
  const intervention = inOrder(sql`acknowledged_at`, sql`reset_at`);
  const rows = await filterOccurrences(transaction, filter)
    .where(byAUser)
    .select([
      sql<number>`ack_user_id`.as('userId'),
      sql<number>`max(id)`.as('lastOccurrenceId'),
      sql<number>`count(*)`.as('count'),
      reaction.count.as('reactionCount'),
      reaction.totalSeconds.as('reactionSeconds'),
      intervention.count.as('interventionCount'),
      intervention.totalSeconds.as('interventionSeconds'),
    ])
    .groupBy('ackUserId')
    .orderBy('ackUserId', descending ? 'desc' : 'asc')
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ userId, lastOccurrenceId, ...sums }) => ({
    userId,
    lastOccurrenceId,
    sums: {
      count: sums.count,
      reactions: { count: sums.reactionCount, totalSeconds: sums.reactionSeconds },
      interventions: { count: sums.interventionCount, totalSeconds: sums.interventionSeconds },
    },
  }));
}

export function countInterventions(
  transaction: TenantTransaction,
  filter: OccurrenceFilter,
): Promise<number> {
  return countOf(transaction, filter, sql`count(distinct ack_user_id) filter (where ${byAUser})`);
}

async function countOf(
  transaction: TenantTransaction,
  filter: OccurrenceFilter,
  counted: RawBuilder<unknown>,
): Promise<number> {
  const { total } = await filterOccurrences(transaction, filter)
    .select(sql<number>`${counted}`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** The durations whose both ends exist and are in order. */
function inOrder(start: RawBuilder<unknown>, end: RawBuilder<unknown>) {
  const exists = sql`filter (where ${end} >= ${start})`;
  return {
    count: sql<number>`count(*) ${exists}`,
    totalSeconds: sql<number>`coalesce(sum(${secondsBetween(start, end)}) ${exists}, 0)`,
  };
}

/** Whole seconds as they are shown. Double precision holds them exactly, and is summed faster than numeric. */
function secondsBetween(start: RawBuilder<unknown>, end: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`floor(date_part('epoch', ${end})) - floor(date_part('epoch', ${start}))`;
}

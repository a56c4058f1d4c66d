import type { Occasion } from '@tocsin/domain';
import type { CallStatus } from '../calls/call.store.ts';
import { tellClosed } from '../duties/tiding.store.ts';
import type { PageRequest } from '../http/page.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

export type RunningAttemptRow = {
  id: number;
  callGroupId: number | null;
  userId: number;
  userName: string;
  medium: string;
  address: string;
  attempt: number;
  startedAt: Date;
  status: CallStatus;
};

/** A duty with those of its attempts that have not ended. */
export type DutyRow = {
  id: number;
  occasion: Occasion;
  tagId: number | null;
  occurrenceId: number | null;
  callId: number | null;
  stationId: number | null;
  priority: number;
  message: string;
  openedAt: Date;
  dueAt: Date;
  closedAt: Date | null;
  closedReason: string | null;
  timeZone: string;
  attempts: RunningAttemptRow[];
};

const columns = `d.id, d.occasion, d.tag_id as "tagId", d.occurrence_id as "occurrenceId", d.call_id as "callId",
  d.station_id as "stationId", d.priority, d.plan -> 'message' ->> 'text' as message, d.opened_at as "openedAt",
  d.due_at as "dueAt", d.closed_at as "closedAt", d.closed_reason as "closedReason",
  coalesce((select s.time_zone from stations s where s.tenant_id = $1 and s.id = d.station_id), 'UTC') as "timeZone",
  coalesce((select json_agg(json_build_object('id', c.id, 'callGroupId', c.call_group_id, 'userId', c.user_id,
      'userName', c.user_name, 'medium', c.medium, 'address', c.address, 'attempt', c.attempt,
      'startedMs', extract(epoch from c.started_at) * 1000, 'status', c.status) order by c.id)
    from call_attempts c where c.tenant_id = $1 and c.duty_id = d.id and c.ended_at is null), '[]') as attempts`;

type Row = Omit<DutyRow, 'attempts'> & {
  attempts: (Omit<RunningAttemptRow, 'startedAt'> & { startedMs: number })[];
};

/** Whom somebody is being called for; absent `stationIds` are all. */
export async function listOpenDuties(
  { client, tenantId }: TenantTransaction,
  stationIds: readonly number[] | undefined,
  { offset, limit, descending }: PageRequest,
): Promise<{ rows: DutyRow[]; total: number }> {
  const where =
    'd.tenant_id = $1 and d.closed_at is null and ($2::bigint[] is null or d.station_id = any ($2::bigint[]))';
  const values = [tenantId, stationIds ?? null];
  const { rows: counted } = await client.query<{ total: number }>(
    `select count(*)::integer as total from duties d where ${where}`,
    values,
  );
  const { rows } = await client.query<Row>(
    `select ${columns} from duties d where ${where}
     order by d.id ${descending ? 'desc' : 'asc'} offset $3 limit $4`,
    [...values, offset, limit],
  );
  return { rows: rows.map(dutyOf), total: counted[0]?.total ?? 0 };
}

export async function findDuty(transaction: TenantTransaction, id: number): Promise<DutyRow | undefined> {
  return (await findDuties(transaction, [id])).get(id);
}

/** Those of the duties that there are, open or not. */
export async function findDuties(
  { client, tenantId }: TenantTransaction,
  ids: readonly number[],
): Promise<Map<number, DutyRow>> {
  const { rows } = await client.query<Row>({
    name: 'find-duties',
    text: `select ${columns} from duties d where d.tenant_id = $1 and d.id = any ($2::bigint[])`,
    values: [tenantId, ids],
  });
  return new Map(rows.map((row) => [row.id, dutyOf(row)]));
}

function dutyOf({ attempts, ...row }: Row): DutyRow {
  return {
    ...row,
    attempts: attempts.map(({ startedMs, ...one }) => ({ ...one, startedAt: new Date(startedMs) })),
  };
}

export type DutyEnd = { reason: 'cancelled' | 'acknowledged'; by: string; comment: string };

/** Ends the calling by hand, and says who did: queued attempts are withdrawn, and calls on their way hung up. */
export async function endDuty(
  { client, tenantId, now }: TenantTransaction,
  id: number,
  { reason, by, comment }: DutyEnd,
): Promise<void> {
  // By itself and first: who waits for a dispatcher here must then see the attempts that it has just stored.
  await client.query('select from duties where tenant_id = $1 and id = $2 for update', [tenantId, id]);
  await client.query({
    name: 'end-duty',
    text: `with closed as (
             update duties set closed_at = $3, closed_reason = $4, lease_until = null
             where tenant_id = $1 and id = $2 and closed_at is null returning id
           ), noticed as (
             insert into duty_notices (tenant_id, duty_id, number, at, kind, detail)
             select $1, e.id, 1 + coalesce((select max(o.number) from duty_notices o
               where o.tenant_id = $1 and o.duty_id = e.id), 0), $3, $4, $5 from closed e
           ), told as (${tellClosed})
           update call_attempts a set hang_up_at = $3, late_race = a.outcome = 'calling',
             status = case when a.outcome = 'queued' then 'Cancelled' else a.status end,
             ended_at = case when a.outcome = 'queued' then $3 else a.ended_at end,
             outcome = case when a.outcome = 'queued' then 'cancelled' else a.outcome end
           from closed where a.tenant_id = $1 and a.duty_id = closed.id and a.ended_at is null`,
    values: [tenantId, id, now, reason, JSON.stringify({ by, comment })],
  });
}

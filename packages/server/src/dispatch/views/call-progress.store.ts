import type { Occasion } from '@tocsin/domain';
import type { CallStatus } from '../../calls/call.store.ts';
import { finishClosing } from '../../escalations/closing.store.ts';
import type { PageRequest } from '../../http/page.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

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
  /** Empty for none. */
  reason: string;
};

/** An escalation with those of its attempts that have not ended. */
export type EscalationRow = {
  id: number;
  occasion: Exclude<Occasion, 'notice'>;
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
      'startedMs', extract(epoch from c.started_at) * 1000, 'status', c.status,
      'reason', c.reason) order by c.id)
    from call_attempts c where c.tenant_id = $1 and c.escalation_id = d.id and c.ended_at is null), '[]') as attempts`;

type Row = Omit<EscalationRow, 'attempts'> & {
  attempts: (Omit<RunningAttemptRow, 'startedAt'> & { startedMs: number })[];
};

/** Lists the open escalations; undefined `stationIds` stands for all stations. */
export async function listOpenEscalations(
  { client, tenantId }: TenantTransaction,
  stationIds: readonly number[] | undefined,
  { offset, limit, descending }: PageRequest,
): Promise<{ rows: EscalationRow[]; total: number }> {
  const where =
    'd.tenant_id = $1 and d.closed_at is null and d.notice_id is null and ($2::bigint[] is null or d.station_id = any ($2::bigint[]))';
  const values = [tenantId, stationIds ?? null];
  const { rows: counted } = await client.query<{ total: number }>(
    `select count(*)::integer as total from escalations d where ${where}`,
    values,
  );
  const { rows } = await client.query<Row>(
    `select ${columns} from escalations d where ${where}
     order by d.id ${descending ? 'desc' : 'asc'} offset $3 limit $4`,
    [...values, offset, limit],
  );
  return { rows: rows.map(escalationOf), total: counted[0]?.total ?? 0 };
}

export async function findEscalation(
  transaction: TenantTransaction,
  id: number,
): Promise<EscalationRow | undefined> {
  return (await findEscalations(transaction, [id])).get(id);
}

/** Finds escalations by id, open or closed; missing ones and notices are left out. */
export async function findEscalations(
  { client, tenantId }: TenantTransaction,
  ids: readonly number[],
): Promise<Map<number, EscalationRow>> {
  const { rows } = await client.query<Row>({
    name: 'find-escalations',
    text: `select ${columns} from escalations d where d.tenant_id = $1 and d.id = any ($2::bigint[]) and d.notice_id is null`,
    values: [tenantId, ids],
  });
  return new Map(rows.map((row) => [row.id, escalationOf(row)]));
}

function escalationOf({ attempts, ...row }: Row): EscalationRow {
  return {
    ...row,
    attempts: attempts.map(({ startedMs, ...one }) => ({ ...one, startedAt: new Date(startedMs) })),
  };
}

export type EscalationEnd = { reason: 'cancelled' | 'acknowledged'; by: string; comment: string };

/** Closes an escalation by hand: withdraws queued attempts and hangs up running calls. */
export async function endEscalation(
  { client, tenantId, now }: TenantTransaction,
  id: number,
  { reason, by, comment }: EscalationEnd,
): Promise<void> {
  // Locked in a separate statement, so that the next one sees attempts that a dispatcher stored meanwhile.
  await client.query('select from escalations where tenant_id = $1 and id = $2 for update', [tenantId, id]);
  await client.query({
    name: 'end-escalation',
    text: `with closed as (
             update escalations set closed_at = $3, closed_reason = $4, lease_until = null
             where tenant_id = $1 and id = $2 and closed_at is null returning id
           ), recorded as (
             insert into escalation_events (tenant_id, escalation_id, number, at, kind, detail)
             select $1, e.id, 1 + coalesce((select max(o.number) from escalation_events o
               where o.tenant_id = $1 and o.escalation_id = e.id), 0), $3, $4, $5 from closed e
           ), ${finishClosing}`,
    values: [tenantId, id, now, reason, JSON.stringify({ by, comment })],
  });
}

import type { EarlierCall } from '@tocsin/domain';
import { insertAttemptEvents } from '../../escalations/call-event.store.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';

/** Calls that reached people about a tag within the quiet time of the tenant. */
export type EarlierCalls = {
  calls: readonly EarlierCall[];
  quietSeconds: number;
  /** Of the station of the tag. */
  timeZone: string;
};

type Row = {
  tag_id: number;
  occurrence_id: number;
  user_id: number;
  priority: number;
  heard_at: Date | null;
  message_at: Date | null;
  quiet_seconds: number;
  time_zone: string;
};

/** Keeps the cost the same for tags with a long history. Somebody whose call is older than these is called again. */
const newestAttempts = 200;

/**
 * Lists, by tag, the calls to these users that count as reached. A call counts if it was taken, or if the alarm was said to
 * its end, which only a call of our own process can know. A message counts if a provider has accepted it. A person who gave
 * the alarm to the next one is called again: while they waited, nobody else would be called.
 */
export async function listEarlierCalls(
  { client, tenantId, now }: TenantTransaction,
  { tagIds, userIds }: { tagIds: readonly number[]; userIds: readonly number[] },
): Promise<Map<number, EarlierCalls>> {
  const { rows } = await client.query<Row>({
    name: 'list-earlier-calls',
    text: earlierCalls,
    values: [tenantId, tagIds, userIds, now],
  });
  const byTag = Map.groupBy(rows, (row) => row.tag_id);
  return new Map([...byTag].map(([tagId, some]) => [tagId, earlierCallsOf(some)]));
}

export const earlierCalls = `
  select r.tag_id, d.occurrence_id, r.user_id, r.priority, r.heard_at, r.message_at, s.tag_quiet_seconds as quiet_seconds,
    coalesce((select z.time_zone from stations z where z.tenant_id = $1 and z.id = d.station_id), 'UTC') as time_zone
  from tenants s
  cross join (select distinct tag_id from unnest($2::bigint[]) as u(tag_id)) t
  cross join lateral (
    select c.tag_id, c.escalation_id, c.user_id, c.priority, greatest(c.heard_at, c.acknowledged_at) as heard_at,
      case when c.medium <> 'Voice' and c.outcome in ('accepted', 'delivered') then c.sent_at end as message_at
    from call_attempts c where c.tag_id = t.tag_id and c.tenant_id = $1 and c.outcome <> 'declined'
    order by c.id desc limit ${newestAttempts}) r
  join escalations d on d.tenant_id = $1 and d.id = r.escalation_id
  where s.id = $1 and s.tag_quiet_seconds > 0 and d.occasion = 'raised' and r.user_id = any ($3::bigint[])
    and greatest(r.heard_at, r.message_at) > $4::timestamptz - make_interval(secs => s.tag_quiet_seconds)`;

function earlierCallsOf(rows: readonly Row[]): EarlierCalls {
  return {
    calls: rows.map((row) => ({
      tagId: row.tag_id,
      occurrenceId: row.occurrence_id,
      userId: row.user_id,
      priority: row.priority,
      heardAt: row.heard_at ?? undefined,
      messageAt: row.message_at ?? undefined,
    })),
    quietSeconds: rows[0]?.quiet_seconds ?? 0,
    timeZone: rows[0]?.time_zone ?? 'UTC',
  };
}

/** Leaves attempts in the queue until the quiet time is over. The first time, a call event says so. */
export async function postponeToQuietEnd(
  { client, tenantId, now }: TenantTransaction,
  quiet: readonly { id: number; until: Date; reason: string }[],
): Promise<void> {
  await client.query({
    name: 'postpone-to-quiet-end',
    text: `with quiet as (
             select * from json_to_recordset($2) as q(id bigint, until timestamptz, reason text)
           ), changed as (
             select c.id, c.escalation_id, c.outcome from call_attempts c join quiet q on q.id = c.id
             where c.tenant_id = $1 and c.quiet_until is distinct from q.until
           ), postponed as (
             update call_attempts c set due_at = q.until, quiet_until = q.until, lease_until = null,
               reason = case when c.quiet_until is distinct from q.until then q.reason else c.reason end
             from quiet q where c.tenant_id = $1 and c.id = q.id
           )
           ${insertAttemptEvents('changed')}`,
    values: [tenantId, JSON.stringify(quiet), now],
  });
}

/** Makes escalations due, which then see that an attempt waits, and when the next one follows. */
export async function wakeEscalations(
  { client, tenantId, now }: TenantTransaction,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  await client.query({
    name: 'wake-escalations',
    text: `with woken as materialized (
             select id from escalations where tenant_id = $1 and id = any ($2::bigint[]) and closed_at is null
             order by id for update
           )
           update escalations e set due_at = least(e.due_at, $3) from woken where e.tenant_id = $1 and e.id = woken.id`,
    values: [tenantId, ids, now],
  });
}

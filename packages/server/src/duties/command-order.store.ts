import type { BareTransaction } from '../postgres/tenant-transaction.ts';
import type { AlarmOccasion } from './call-directory.ts';
import type { TurnCommand } from './turn-commands.ts';

/** A program that an alarm asks for; written in the transaction of its turn. */
export type CommandOrder = TurnCommand & {
  tagId: number;
  occurrenceId: number;
  stationId: number;
  occasion: AlarmOccasion;
  delaySeconds: number;
  /** Why it is refused at once; empty when it is to be run. */
  refusal: string;
};

/** An occurrence whose mask has ended. */
export type UnmaskedOccurrence = { tagId: number; occurrenceId: number };

export const refusedByMask = 'the alarm is masked';
export const refusedUntilUnmasked = 'the alarm was masked; it was ordered again after the mask';

/** Begun later than this after it was due, a program may do more harm than good. */
const longestWaitSeconds = 60;

export function insertCommandOrders(
  { client, tenantId }: BareTransaction,
  orders: readonly CommandOrder[],
  now: Date,
): Promise<unknown> {
  return client.query({
    name: 'insert-command-orders',
    text: `with taken as (
             insert into counters as c (tenant_id, kind, last) values ($1, 'command-run', $4)
             on conflict (tenant_id, kind) do update set last = c.last + $4 returning last
           )
           insert into command_runs (tenant_id, id, kind, script_id, parameter, tag_id, occurrence_id, station_id,
             occasion, granted_by, status, reason, ordered_at, due_at, not_after, ended_at)
           select $1, taken.last - $4 + o.place, o.kind, o."scriptId", o.parameter, o."tagId", o."occurrenceId",
             o."stationId", o.occasion, o."grantedBy", case o.refusal when '' then 'queued' else 'refused' end, o.refusal, $3,
             $3::timestamptz + make_interval(secs => o."delaySeconds"),
             $3::timestamptz + make_interval(secs => o."delaySeconds" + $5),
             case o.refusal when '' then null else $3::timestamptz end
           from taken, rows from (json_to_recordset($2) as (kind text, "scriptId" bigint, parameter text, "tagId" bigint,
             "occurrenceId" bigint, "stationId" bigint, occasion text, "grantedBy" text, "delaySeconds" double precision,
             refusal text))
             with ordinality as o(kind, "scriptId", parameter, "tagId", "occurrenceId", "stationId", occasion, "grantedBy",
               "delaySeconds", refusal, place)`,
    values: [tenantId, JSON.stringify(orders), now, orders.length, longestWaitSeconds],
  });
}

/**
 * Orders again what was refused because of the mask that has ended, once. Runs that a server is deciding about just now
 * are waited for: it decides by the mask that was.
 */
export function orderAgainUnmasked(
  { client, tenantId }: BareTransaction,
  unmasked: readonly UnmaskedOccurrence[],
  now: Date,
): Promise<unknown> {
  return client.query({
    name: 'order-again-unmasked',
    text: `with met as (
             select r.id, r.status
             from unnest($2::bigint[], $3::bigint[]) as w(tag_id, occurrence_id)
             join command_runs r on r.tenant_id = $1 and r.tag_id = w.tag_id and r.occurrence_id = w.occurrence_id
             where r.occasion = 'raised' and r.kind = 'execute'
               and (r.status = 'queued' or (r.status = 'refused' and r.reason = $6))
             order by r.id
             for update of r
           ), again as (
             update command_runs r set reason = $7 from met
             where r.tenant_id = $1 and r.id = met.id and met.status = 'refused'
             returning r.id, r.kind, r.script_id, r.parameter, r.tag_id, r.occurrence_id, r.station_id, r.occasion, r.granted_by
           ), taken as (
             insert into counters as c (tenant_id, kind, last)
             select $1, 'command-run', count(*) from again having count(*) > 0
             on conflict (tenant_id, kind) do update set last = c.last + excluded.last
             returning last
           )
           insert into command_runs (tenant_id, id, kind, script_id, parameter, tag_id, occurrence_id, station_id,
             occasion, granted_by, status, ordered_at, due_at, not_after)
           select $1, taken.last + 1 - row_number() over (order by a.id desc), a.kind, a.script_id, a.parameter, a.tag_id,
             a.occurrence_id, a.station_id, a.occasion, a.granted_by, 'queued', $4, $4,
             $4::timestamptz + make_interval(secs => $5)
           from taken, again a`,
    values: [
      tenantId,
      unmasked.map(({ tagId }) => tagId),
      unmasked.map(({ occurrenceId }) => occurrenceId),
      now,
      longestWaitSeconds,
      refusedByMask,
      refusedUntilUnmasked,
    ],
  });
}

import type { Statement } from '../postgres/statement.ts';
import type { AlarmOccasion } from './call-directory.ts';
import type { OccasionCommand } from './occasion-commands.ts';

/** A program that an alarm runs; written in the transaction of its occasion. */
export type CommandOrder = OccasionCommand & {
  tagId: number;
  occurrenceId: number;
  stationId: number;
  occasion: AlarmOccasion;
  delaySeconds: number;
  /** The reason to refuse it at once; empty if it is to be run. */
  refusal: string;
};

/** An occurrence whose mask has ended. */
export type UnmaskedOccurrence = { tagId: number; occurrenceId: number };

export const refusedByMask = 'the alarm is masked';
export const refusedUntilUnmasked = 'the alarm was masked; it was ordered again after the mask';

/** A program that cannot start within this time after it was due is not run: late, it may do harm. */
const maxWaitSeconds = 60;

export function insertCommandOrders(tenantId: number, orders: readonly CommandOrder[], now: Date): Statement {
  return {
    name: 'insert-command-orders',
    text: `with counter as (
             insert into id_counters as c (tenant_id, kind, last) values ($1, 'command-run', $4)
             on conflict (tenant_id, kind) do update set last = c.last + $4 returning last
           )
           insert into command_runs (tenant_id, id, kind, script_id, parameter, tag_id, occurrence_id, station_id,
             occasion, granted_by, status, reason, ordered_at, due_at, not_after, ended_at)
           select $1, counter.last - $4 + o.place, o.kind, o."scriptId", o.parameter, o."tagId", o."occurrenceId",
             o."stationId", o.occasion, o."grantedBy", case o.refusal when '' then 'queued' else 'refused' end, o.refusal, $3,
             $3::timestamptz + make_interval(secs => o."delaySeconds"),
             $3::timestamptz + make_interval(secs => o."delaySeconds" + $5),
             case o.refusal when '' then null else $3::timestamptz end
           from counter, rows from (json_to_recordset($2) as (kind text, "scriptId" bigint, parameter text, "tagId" bigint,
             "occurrenceId" bigint, "stationId" bigint, occasion text, "grantedBy" text, "delaySeconds" double precision,
             refusal text))
             with ordinality as o(kind, "scriptId", parameter, "tagId", "occurrenceId", "stationId", occasion, "grantedBy",
               "delaySeconds", refusal, place)`,
    values: [tenantId, JSON.stringify(orders), now, orders.length, maxWaitSeconds],
  };
}

/**
 * Orders again, once, the programs that were refused because of the mask that has ended. Waits for runs that a server is
 * deciding about, because that server may still refuse them because of the mask.
 */
export function orderAgainUnmasked(
  tenantId: number,
  unmasked: readonly UnmaskedOccurrence[],
  now: Date,
): Statement {
  return {
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
           ), counter as (
             insert into id_counters as c (tenant_id, kind, last)
             select $1, 'command-run', count(*) from again having count(*) > 0
             on conflict (tenant_id, kind) do update set last = c.last + excluded.last
             returning last
           )
           insert into command_runs (tenant_id, id, kind, script_id, parameter, tag_id, occurrence_id, station_id,
             occasion, granted_by, status, ordered_at, due_at, not_after)
           select $1, counter.last + 1 - row_number() over (order by a.id desc), a.kind, a.script_id, a.parameter, a.tag_id,
             a.occurrence_id, a.station_id, a.occasion, a.granted_by, 'queued', $4, $4,
             $4::timestamptz + make_interval(secs => $5)
           from counter, again a`,
    values: [
      tenantId,
      unmasked.map(({ tagId }) => tagId),
      unmasked.map(({ occurrenceId }) => occurrenceId),
      now,
      maxWaitSeconds,
      refusedByMask,
      refusedUntilUnmasked,
    ],
  };
}

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
};

/** Begun later than this after it was due, a program may do more harm than good. */
const longestWaitSeconds = 60;

export async function insertCommandOrders(
  { client, tenantId }: BareTransaction,
  orders: readonly CommandOrder[],
  now: Date,
): Promise<void> {
  await client.query({
    name: 'insert-command-orders',
    text: `with taken as (
             insert into counters as c (tenant_id, kind, last) values ($1, 'command-run', $4)
             on conflict (tenant_id, kind) do update set last = c.last + $4 returning last
           )
           insert into command_runs (tenant_id, id, kind, script_id, parameter, tag_id, occurrence_id, station_id,
             occasion, granted_by, status, reason, ordered_at, due_at, not_after, ended_at)
           select $1, taken.last - $4 + o.place, o.kind, o."scriptId", o.parameter, o."tagId", o."occurrenceId",
             o."stationId", o.occasion, o."grantedBy", case o."grantedBy" when '' then 'refused' else 'queued' end,
             case o."grantedBy" when '' then 'whoever defined it may not run commands' else '' end, $3,
             $3::timestamptz + make_interval(secs => o."delaySeconds"),
             $3::timestamptz + make_interval(secs => o."delaySeconds" + $5),
             case o."grantedBy" when '' then $3::timestamptz end
           from taken, rows from (json_to_recordset($2) as (kind text, "scriptId" bigint, parameter text, "tagId" bigint,
             "occurrenceId" bigint, "stationId" bigint, occasion text, "grantedBy" text, "delaySeconds" double precision))
             with ordinality as o(kind, "scriptId", parameter, "tagId", "occurrenceId", "stationId", occasion, "grantedBy",
               "delaySeconds", place)`,
    values: [tenantId, JSON.stringify(orders), now, orders.length, longestWaitSeconds],
  });
}

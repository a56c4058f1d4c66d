import type { AlarmOccasion } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type ClaimedRun, leaseEnd } from './command-lease.store.ts';
import type { RunOutcome } from './runner-messages.ts';

/** A due run, with the state of its alarm. */
export type DueRun = {
  id: number;
  fencingToken: number;
  kind: 'execute' | 'stop';
  scriptId: number;
  parameter: string;
  tagId: number;
  /** The station of the alarm when it ordered the run. */
  stationId: number;
  grantedBy: string;
  occasion: AlarmOccasion;
  notAfter: Date;
  isDelayed: boolean;
  /** Whether the occurrence that ordered the run has ended or is acknowledged. */
  isOver: boolean;
  isMasked: boolean;
};

/** Locks the claimed runs that are still queued and ours. Other servers wait with the runs of this tenant meanwhile. */
export async function lockDueRuns(
  { client, tenantId }: TenantTransaction,
  claims: readonly ClaimedRun[],
): Promise<DueRun[]> {
  await client.query({
    name: 'lock-commands-of-tenant',
    text: 'select pg_advisory_xact_lock(7423, $1::integer)',
    values: [tenantId % 2_147_483_647],
  });
  const { rows: locked } = await client.query<{ id: number }>({
    name: 'lock-due-command-runs',
    text: `
      select r.id from unnest($2::bigint[], $3::bigint[]) as w(id, fencing_token)
      join command_runs r on r.tenant_id = $1 and r.id = w.id and r.fencing_token = w.fencing_token
      where r.status = 'queued'
      order by r.id
      for update of r`,
    values: [tenantId, claims.map(({ id }) => id), claims.map(({ fencingToken }) => fencingToken)],
  });
  // Read after locking, to see a mask that ended while this waited for the lock.
  const { rows } = await client.query<DueRun>({
    name: 'read-due-command-runs',
    text: `
      select r.id, r.fencing_token as "fencingToken", r.kind, r.script_id as "scriptId", r.parameter, r.tag_id as "tagId",
        r.station_id as "stationId",
        r.granted_by as "grantedBy", r.occasion, r.not_after as "notAfter", r.due_at > r.ordered_at as "isDelayed",
        coalesce(a.occurrence_id <> r.occurrence_id or a.state & 2 = 0 or (a.state & 1 = 0 and not t.transitory), true)
          as "isOver",
        coalesce(a.state & 36 <> 0, false) as "isMasked"
      from command_runs r
      left join alarms a on a.tenant_id = $1 and a.tag_id = r.tag_id
      left join tags t on t.tenant_id = $1 and t.id = r.tag_id
      where r.tenant_id = $1 and r.id = any ($2::bigint[])
      order by r.id`,
    values: [tenantId, locked.map(({ id }) => id)],
  });
  return rows;
}

/** Counts the running programs by command. */
export async function countRunning({ client, tenantId }: TenantTransaction): Promise<Map<number, number>> {
  const { rows } = await client.query<{ script_id: number; running: number }>({
    name: 'count-running-commands',
    text: `select script_id, count(*)::integer as running from command_runs
           where tenant_id = $1 and status = 'running' group by script_id`,
    values: [tenantId],
  });
  return new Map(rows.map(({ script_id, running }) => [script_id, running]));
}

/** Records that a program will be run, before it is started. */
export async function beginRun(
  { client, tenantId, now }: TenantTransaction,
  { run, listHash, argv }: { run: DueRun; listHash: string; argv: readonly string[] },
): Promise<void> {
  const { id, parameter, grantedBy } = run;
  await client.query({
    name: 'begin-command-run',
    text: `update command_runs set status = 'running', started_at = $3, lease_until = $4, list_hash = $5
           where tenant_id = $1 and id = $2`,
    values: [tenantId, id, now, leaseEnd(now), listHash],
  });
  await addRecord({ client, tenantId, now }, id, {
    kind: 'began',
    detail: { argv, parameter, grantedBy, listHash },
  });
}

/** Postpones a run because its command is at `maxParallel`. */
export async function postponeRun(
  { client, tenantId }: TenantTransaction,
  { id, until }: { id: number; until: Date },
): Promise<void> {
  await client.query({
    name: 'postpone-command-run',
    text: 'update command_runs set lease_until = $3 where tenant_id = $1 and id = $2',
    values: [tenantId, id, until],
  });
}

/** Stores the outcome of a run. Returns false if another server has claimed the run meanwhile. */
export async function endRun(
  { client, tenantId, now }: TenantTransaction,
  {
    id,
    fencingToken,
    outcome,
    listHash,
  }: { id: number; fencingToken: number; outcome: RunOutcome; listHash?: string },
): Promise<boolean> {
  const { status, reason, exitCode, signal, output, outputCut } = outcome;
  const { rowCount } = await client.query({
    name: 'end-command-run',
    text: `update command_runs set status = $4, reason = $5, exit_code = $6, signal = $7, output = $8, output_cut = $9,
             ended_at = $10, lease_until = null, list_hash = case when $11 = '' then list_hash else $11 end
           where tenant_id = $1 and id = $2 and fencing_token = $3 and status in ('queued', 'running')`,
    values: [
      tenantId,
      id,
      fencingToken,
      status,
      reason,
      exitCode,
      signal,
      output,
      outputCut,
      now,
      listHash ?? '',
    ],
  });
  if (rowCount === 0) return false;
  await addRecord({ client, tenantId, now }, id, {
    kind: 'ended',
    detail: { status, reason, exitCode, signal },
  });
  return true;
}

export type CommandRecordKind = 'began' | 'ended';

async function addRecord(
  { client, tenantId, now }: Pick<TenantTransaction, 'client' | 'tenantId' | 'now'>,
  runId: number,
  { kind, detail }: { kind: CommandRecordKind; detail: object },
): Promise<void> {
  await client.query({
    name: 'insert-command-record',
    text: `insert into command_records (tenant_id, run_id, number, at, kind, detail)
           select $1, $2, count(*) + 1, $3, $4, $5 from command_records where tenant_id = $1 and run_id = $2`,
    values: [tenantId, runId, now, kind, JSON.stringify(detail)],
  });
}

/** Stops earlier runs of the command that the same alarm ordered. Returns how many there are. */
export async function stopRuns(
  { client, tenantId, now }: TenantTransaction,
  { id, tagId, scriptId, parameter }: Pick<DueRun, 'id' | 'tagId' | 'scriptId' | 'parameter'>,
): Promise<number> {
  const { rowCount } = await client.query({
    name: 'stop-command-runs',
    text: `update command_runs set stop_at = $3,
             reason = case status when 'queued' then 'it was ended before it began' else reason end,
             ended_at = case status when 'queued' then $3::timestamptz end,
             status = case status when 'queued' then 'stopped' else status end
           where tenant_id = $1 and tag_id = $4 and script_id = $5 and id < $2 and kind = 'execute'
             and status in ('queued', 'running') and ($6 = '' or parameter = $6)`,
    values: [tenantId, id, now, tagId, scriptId, parameter],
  });
  return rowCount ?? 0;
}

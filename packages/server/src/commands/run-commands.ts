import { appendAudit } from '../audit/audit.store.ts';
import { type AuditDraft, systemOrigin } from '../audit/audit-entry.ts';
import { forEachTenant } from '../postgres/each-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { CommandEntry } from './command-entry.ts';
import { type ClaimedRun, claimRuns } from './command-lease.store.ts';
import type { CommandList } from './command-list.ts';
import {
  beginRun,
  countRunning,
  type DueRun,
  endRun,
  lockDueRuns,
  postponeRun,
  stopRuns,
} from './command-run.store.ts';
import { judgeRun } from './judge-run.ts';
import { bareOutcome } from './runner-messages.ts';

export type BegunRun = ClaimedRun & { entry: CommandEntry; parameter: string };

/** A run whose command is at `maxParallel` is postponed by this time. */
const waitMs = 500;

/** How many more programs may run on this server, and how many run by tenant. */
export type Capacity = { free: number; held: ReadonlyMap<number, number> };

/** Claims due runs and decides about each. Calls `begin` for the runs to start, after the decision is committed. */
export async function runCommands(
  { database, log }: Runtime,
  { list, capacity, begin }: { list: CommandList; capacity: Capacity; begin: (run: BegunRun) => void },
): Promise<void> {
  const claims = await outsideTenants(database, (outside) => claimRuns(outside, capacity));
  const byTenant = Map.groupBy(claims, (run) => run.tenantId);
  await forEachTenant(byTenant.keys(), { log, job: 'run commands' }, async (tenantId) => {
    const some = byTenant.get(tenantId) ?? [];
    const begun = await inTenant(database, tenantId, (transaction) => decide(transaction, list, some));
    for (const run of begun) begin(run);
  });
}

async function decide(
  transaction: TenantTransaction,
  list: CommandList,
  claims: readonly ClaimedRun[],
): Promise<BegunRun[]> {
  const { tenantId } = transaction;
  const runs = await lockDueRuns(transaction, claims);
  const running = await countRunning(transaction);
  const begun: BegunRun[] = [];
  for (const run of runs) {
    const entry = await carryOut(transaction, { list, run, running });
    if (!entry) continue;
    running.set(run.scriptId, (running.get(run.scriptId) ?? 0) + 1);
    begun.push({ tenantId, id: run.id, fencingToken: run.fencingToken, entry, parameter: run.parameter });
  }
  const ids = new Set(begun.map(({ id }) => id));
  const drafts = runs.filter(({ id }) => ids.has(id)).map(auditOfRun);
  if (drafts.length > 0) await appendAudit(transaction, drafts, transaction.now);
  return begun;
}

function auditOfRun({ id, scriptId, parameter, tagId, grantedBy, occasion }: DueRun): AuditDraft {
  const object = { kind: 'command', id: String(scriptId) };
  const after = { runId: id, alarmId: tagId, occasion, parameter, grantedBy };
  return { ...systemOrigin, action: 'command.run', object, after };
}

/** Stores the decision about a run. Returns the entry of a run to start. */
async function carryOut(
  transaction: TenantTransaction,
  { list, run, running }: { list: CommandList; run: DueRun; running: ReadonlyMap<number, number> },
): Promise<CommandEntry | undefined> {
  const { tenantId, now } = transaction;
  const { id, fencingToken } = run;
  const listHash = list.hash;
  const judged = judgeRun(list, run, { tenantId, now, running });
  switch (judged.kind) {
    case 'begin':
      await beginRun(transaction, { run, listHash, argv: judged.entry.argv });
      return judged.entry;
    case 'wait':
      await postponeRun(transaction, { id, until: new Date(now.getTime() + waitMs) });
      return undefined;
    case 'stop': {
      const ended = await stopRuns(transaction, run);
      await endRun(transaction, {
        id,
        fencingToken,
        outcome: bareOutcome('done', `${ended} to be ended`),
        listHash,
      });
      return undefined;
    }
    case 'refuse':
      await endRun(transaction, {
        id,
        fencingToken,
        outcome: bareOutcome('refused', judged.reason),
        listHash,
      });
      return undefined;
  }
}

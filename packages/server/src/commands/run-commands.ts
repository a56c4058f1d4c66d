import { appendAudit } from '../audit/audit.store.ts';
import { type AuditDraft, systemOrigin } from '../audit/audit-entry.ts';
import { forEachTenant } from '../postgres/each-tenant.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import type { CommandEntry } from './command-entry.ts';
import { type TakenRun, takeRuns } from './command-lease.store.ts';
import type { CommandList } from './command-list.ts';
import {
  beginRun,
  countRunning,
  type DueRun,
  endRun,
  lockDueRuns,
  putBack,
  stopRuns,
} from './command-run.store.ts';
import { judgeRun } from './judge-run.ts';
import { bareOutcome } from './runner-messages.ts';

export type BegunRun = TakenRun & { entry: CommandEntry; parameter: string };

/** How long a run waits before it is looked at again, while others of its command run. */
const waitMs = 500;

/** How many more programs may run on this server, and by tenant how many do. */
export type Room = { free: number; held: ReadonlyMap<number, number> };

/**
 * Takes up runs that are due and decides about each. `begin` gets those that are to be run, once it is committed that
 * they are.
 */
export async function runCommands(
  { database, log }: Runtime,
  { list, room, begin }: { list: CommandList; room: Room; begin: (run: BegunRun) => void },
): Promise<void> {
  const taken = await outsideTenants(database, (outside) => takeRuns(outside, room));
  const byTenant = Map.groupBy(taken, (run) => run.tenantId);
  await forEachTenant(byTenant.keys(), { log, job: 'run commands' }, async (tenantId) => {
    const some = byTenant.get(tenantId) ?? [];
    const begun = await inTenant(database, tenantId, (transaction) => decide(transaction, list, some));
    for (const run of begun) begin(run);
  });
}

async function decide(
  transaction: TenantTransaction,
  list: CommandList,
  taken: readonly TakenRun[],
): Promise<BegunRun[]> {
  const { tenantId } = transaction;
  const runs = await lockDueRuns(transaction, taken);
  const running = await countRunning(transaction);
  const begun: BegunRun[] = [];
  for (const run of runs) {
    const entry = await obey(transaction, { list, run, running });
    if (!entry) continue;
    running.set(run.scriptId, (running.get(run.scriptId) ?? 0) + 1);
    begun.push({ tenantId, id: run.id, fence: run.fence, entry, parameter: run.parameter });
  }
  const ids = new Set(begun.map(({ id }) => id));
  const drafts = runs.filter(({ id }) => ids.has(id)).map(auditOfRun);
  if (drafts.length > 0) await appendAudit(transaction, drafts, transaction.now);
  return begun;
}

/** A program is about to be run, for an alarm that somebody with the right to do so has defined. */
function auditOfRun({ id, scriptId, parameter, tagId, grantedBy, occasion }: DueRun): AuditDraft {
  const object = { kind: 'command', id: String(scriptId) };
  const after = { runId: id, alarmId: tagId, occasion, parameter, grantedBy };
  return { ...systemOrigin, action: 'command.run', object, after };
}

/** Writes down what is decided. Answers the entry of a run that begins. */
async function obey(
  transaction: TenantTransaction,
  { list, run, running }: { list: CommandList; run: DueRun; running: ReadonlyMap<number, number> },
): Promise<CommandEntry | undefined> {
  const { tenantId, now } = transaction;
  const { id, fence } = run;
  const listHash = list.hash;
  const judged = judgeRun(list, run, { tenantId, now, running });
  switch (judged.kind) {
    case 'begin':
      await beginRun(transaction, { run, listHash, argv: judged.entry.argv });
      return judged.entry;
    case 'wait':
      await putBack(transaction, { id, until: new Date(now.getTime() + waitMs) });
      return undefined;
    case 'stop': {
      const ended = await stopRuns(transaction, run);
      await endRun(transaction, {
        id,
        fence,
        outcome: bareOutcome('done', `${ended} to be ended`),
        listHash,
      });
      return undefined;
    }
    case 'refuse':
      await endRun(transaction, { id, fence, outcome: bareOutcome('refused', judged.reason), listHash });
      return undefined;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { forEachTenant } from '../postgres/each-tenant.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import type { CommandEntry } from './command-entry.ts';
import { type ClaimedRun, renewRuns } from './command-lease.store.ts';
import type { CommandList } from './command-list.ts';
import { endRun } from './command-run.store.ts';
import type { RunnerUser } from './entry-faults.ts';
import { type BegunRun, type Capacity, runCommands } from './run-commands.ts';
import type { Program, RunOutcome } from './runner-messages.ts';
import { createRunner, type Runner } from './runner-process.ts';

export type CommandWorker = {
  /** One pass: stores outcomes, renews leases and starts due runs. */
  work(): Promise<void>;
  /** Starts nothing more and stops the running programs. */
  stop(): Promise<void>;
  readonly runner: Runner;
};

/** Programs that run at once on this server; a single tenant gets half of them. */
const maxRunning = 64;
const stopMs = 4_000;
const stopPollMs = 50;

/** Runs the commands of the list. */
export function createCommandWorker(
  runtime: Runtime,
  { list, user, silenceMs }: { list: CommandList; user: RunnerUser; silenceMs?: number },
): CommandWorker {
  const { log } = runtime;
  const held = new Map<string, ClaimedRun>();
  const ended = new Map<string, RunOutcome>();
  const runner = createRunner({
    onEnded: (key, outcome) => void ended.set(key, outcome),
    log,
    ...(silenceMs !== undefined && { silenceMs }),
  });

  const begin = ({ entry, parameter, ...run }: BegunRun) => {
    const key = `${run.tenantId}/${run.id}`;
    held.set(key, run);
    log.info({ tenantId: run.tenantId, runId: run.id, scriptId: entry.id }, 'command begun');
    runner.run(programOf(key, { entry, parameter, user }));
  };
  const saveEnded = async () => {
    const some = [...ended].flatMap(([key, outcome]) => {
      const run = held.get(key);
      return run ? [{ key, outcome, run }] : [];
    });
    const byTenant = Map.groupBy(some, ({ run }) => run.tenantId);
    await forEachTenant(byTenant.keys(), { log, job: 'store command outcomes' }, async (tenantId) => {
      for (const { key, outcome, run } of byTenant.get(tenantId) ?? []) {
        await saveOutcome(runtime, run, outcome);
        held.delete(key);
        ended.delete(key);
      }
    });
  };

  return {
    runner,
    work: async () => {
      await saveEnded();
      const running = [...held].filter(([key]) => !ended.has(key));
      await renewLeases(runtime, runner, running);
      await runCommands(runtime, { list, capacity: capacityBeside(held), begin });
    },
    stop: async () => {
      for (const key of held.keys()) runner.stop(key);
      for (let waited = 0; waited < stopMs && held.size > ended.size; waited += stopPollMs)
        await sleep(stopPollMs);
      await runner.close();
      await saveEnded().catch((error: unknown) =>
        log.error({ err: error }, 'command outcomes were not stored'),
      );
    },
  };
}

/** Renews the leases of running programs, and stops those that should end. */
async function renewLeases(
  { database, log }: Runtime,
  runner: Runner,
  running: readonly (readonly [string, ClaimedRun])[],
): Promise<void> {
  const byTenant = Map.groupBy(running, ([, run]) => run.tenantId);
  await forEachTenant(byTenant.keys(), { log, job: 'renew command leases' }, async (tenantId) => {
    const runs = byTenant.get(tenantId) ?? [];
    const held = runs.map(([, run]) => run);
    const ours = await inTenant(database, tenantId, (transaction) => renewRuns(transaction, held));
    // A run that another server has claimed counts as ended, so its program must end.
    for (const [key, { id }] of runs) if (ours.get(id)?.shouldStop ?? true) runner.stop(key);
  });
}

function capacityBeside(held: ReadonlyMap<string, ClaimedRun>): Capacity {
  const byTenant = Map.groupBy(held.values(), ({ tenantId }) => tenantId);
  const counts = new Map([...byTenant].map(([tenantId, runs]) => [tenantId, runs.length]));
  return { free: maxRunning - held.size, held: counts };
}

async function saveOutcome({ database, log }: Runtime, run: ClaimedRun, outcome: RunOutcome): Promise<void> {
  const { tenantId, id, fencingToken } = run;
  const { status, reason } = outcome;
  const isOurs = await inTenant(database, tenantId, (transaction) =>
    endRun(transaction, { id, fencingToken, outcome }),
  );
  log.info(
    { tenantId, runId: id, status, reason },
    isOurs ? 'command ended' : 'command ended after its lease was lost',
  );
}

function programOf(
  key: string,
  { entry, parameter, user }: { entry: CommandEntry; parameter: string; user: RunnerUser },
): Program {
  const { argv, params, cwd, timeoutMs } = entry;
  const as = otherUser(entry, user);
  return { key, argv, rule: params[0], parameter, cwd, timeoutMs, as, within: limitsOf(entry, user) };
}

function limitsOf({ limits }: CommandEntry, { prlimit }: RunnerUser): Program['within'] {
  if (limits === undefined) return undefined;
  if (prlimit === undefined) throw new Error('prlimit is not installed');
  return { prlimit, limits };
}

function otherUser({ user: name }: CommandEntry, { setpriv, find }: RunnerUser): Program['as'] {
  if (name === undefined) return undefined;
  const found = find(name);
  if (!found || setpriv === undefined) throw new Error(`programs cannot be run as ${name}`);
  return { setpriv, ...found };
}

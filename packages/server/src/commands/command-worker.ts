import { setTimeout as sleep } from 'node:timers/promises';
import { forEachTenant } from '../postgres/each-tenant.ts';
import { inTenant } from '../postgres/tenant-transaction.ts';
import type { Runtime } from '../runtime.ts';
import type { CommandEntry } from './command-entry.ts';
import { renewRuns, type TakenRun } from './command-lease.store.ts';
import type { CommandList } from './command-list.ts';
import { endRun } from './command-run.store.ts';
import type { RunnerUser } from './entry-faults.ts';
import { type BegunRun, type Room, runCommands } from './run-commands.ts';
import type { Program, RunOutcome } from './runner-messages.ts';
import { createRunner, type Runner } from './runner-process.ts';

export type CommandWorker = {
  /** One turn: tells what ended, keeps what runs, begins what is due. */
  work(): Promise<void>;
  /** Begins nothing more, and ends what runs. */
  stop(): Promise<void>;
  readonly runner: Runner;
};

/** So many programs run at once on this server, of all tenants; of one alone, half. */
const mostAtOnce = 64;
const stopMs = 4_000;
const stopLookMs = 50;

/** Runs the commands of the list, as long as it is told to work. */
export function createCommandWorker(
  runtime: Runtime,
  { list, user, silenceMs }: { list: CommandList; user: RunnerUser; silenceMs?: number },
): CommandWorker {
  const { log } = runtime;
  const held = new Map<string, TakenRun>();
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
  const tellEnded = async () => {
    const some = [...ended].flatMap(([key, outcome]) => {
      const run = held.get(key);
      return run ? [{ key, outcome, run }] : [];
    });
    const byTenant = Map.groupBy(some, ({ run }) => run.tenantId);
    await forEachTenant(byTenant.keys(), { log, job: 'tell ended commands' }, async (tenantId) => {
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
      await tellEnded();
      const running = [...held].filter(([key]) => !ended.has(key));
      await keepRuns(runtime, runner, running);
      await runCommands(runtime, { list, room: roomBeside(held), begin });
    },
    stop: async () => {
      for (const key of held.keys()) runner.stop(key);
      for (let waited = 0; waited < stopMs && held.size > ended.size; waited += stopLookMs)
        await sleep(stopLookMs);
      await runner.close();
      await tellEnded().catch((error: unknown) =>
        log.error({ err: error }, 'command outcomes were not stored'),
      );
    },
  };
}

/** Renews the leases of what runs, and ends what is to be ended. */
async function keepRuns(
  { database, log }: Runtime,
  runner: Runner,
  running: readonly (readonly [string, TakenRun])[],
): Promise<void> {
  const byTenant = Map.groupBy(running, ([, run]) => run.tenantId);
  await forEachTenant(byTenant.keys(), { log, job: 'keep commands' }, async (tenantId) => {
    const runs = byTenant.get(tenantId) ?? [];
    const held = runs.map(([, run]) => run);
    const ours = await inTenant(database, tenantId, (transaction) => renewRuns(transaction, held));
    // Whoever judged it meanwhile counts it as over: then it must be.
    for (const [key, { id }] of runs) if (ours.get(id)?.isToStop ?? true) runner.stop(key);
  });
}

function roomBeside(held: ReadonlyMap<string, TakenRun>): Room {
  const byTenant = Map.groupBy(held.values(), ({ tenantId }) => tenantId);
  const counts = new Map([...byTenant].map(([tenantId, runs]) => [tenantId, runs.length]));
  return { free: mostAtOnce - held.size, held: counts };
}

async function saveOutcome({ database, log }: Runtime, run: TakenRun, outcome: RunOutcome): Promise<void> {
  const { tenantId, id, fence } = run;
  const { status, reason } = outcome;
  const isOurs = await inTenant(database, tenantId, (transaction) =>
    endRun(transaction, { id, fence, outcome }),
  );
  log.info(
    { tenantId, runId: id, status, reason },
    isOurs ? 'command ended' : 'command ended after it was given up',
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
  if (prlimit === undefined) throw new Error('there is no way to limit programs');
  return { prlimit, limits };
}

function otherUser({ user: name }: CommandEntry, { setpriv, find }: RunnerUser): Program['as'] {
  if (name === undefined) return undefined;
  const found = find(name);
  if (!found || setpriv === undefined) throw new Error(`there is no way to run programs as ${name}`);
  return { setpriv, ...found };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandRun } from '@tocsin/contract';
import { type Client, test as withApp } from '../../testing/app.fixture.ts';
import type { CommandEntry } from '../command-entry.ts';
import { type CommandWorker, createCommandWorker } from '../command-worker.ts';
import { machineUser } from '../machine-user.ts';
import { entryOf, openWorkshop, type Workshop } from './programs.fixture.ts';

export const listHash = 'f'.repeat(64);

type Entry = Partial<CommandEntry> & { argv: string[] };

/** `test` with an engineer, a folder for programs, and `worker(entries)`: a command worker for this list. */
export const test = withApp
  .extend('engineer', ({ client }): Client => client('engineer'))
  .extend('workshop', ({ task: _task }, { onCleanup }): Workshop => {
    const workshop = openWorkshop();
    onCleanup(workshop.close);
    return workshop;
  })
  .extend(
    'worker',
    ({ runtime, workshop }, { onCleanup }) =>
      (entries: readonly Entry[], { silenceMs }: { silenceMs?: number } = {}): CommandWorker => {
        const list = { hash: listHash, entries: entries.map((entry) => entryOf(workshop, entry)) };
        const user = machineUser();
        const worker = createCommandWorker(runtime, {
          list,
          user,
          ...(silenceMs !== undefined && { silenceMs }),
        });
        onCleanup(() => worker.stop());
        return worker;
      },
  );

/** An action that runs a command. */
export const execute = (scriptId: number, parameter = '') => ({
  type: 'ExecuteCommand',
  scriptId,
  parameter,
});

/** Raises an alarm and returns its id. */
export async function raise(client: Client, path: string, body: object = {}): Promise<number> {
  const answer = await client.post('/alarms', { path, ...body });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json<number>();
}

/** Reads the runs, oldest first. */
export async function runsOf(client: Client, query = ''): Promise<CommandRun[]> {
  const answer = await client.get(`/commands/runs?sort=%2Bid&limit=1000${query}`);
  return answer.json<{ items: CommandRun[] }>().items;
}

/** Lets the worker work until the condition holds. */
export async function workUntil(
  worker: CommandWorker,
  condition: () => Promise<boolean> | boolean,
): Promise<void> {
  for (let pass = 0; pass < 600; pass++) {
    await worker.work();
    if (await condition()) return;
    await sleep(25);
  }
  throw new Error('the worker did not get there');
}

/** Lets the worker work until no run is queued or running. */
export async function workOff(worker: CommandWorker, client: Client): Promise<CommandRun[]> {
  const isOpen = ({ status }: CommandRun) => status === 'queued' || status === 'running';
  await workUntil(worker, async () => !(await runsOf(client)).some(isOpen));
  return runsOf(client);
}

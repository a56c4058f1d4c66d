import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, postgresBin, unprivilegedUser } from '../../../tools/postgres-cluster.ts';
import { createDaemon } from './daemon.ts';
import { type MemberPlace, patroniSettings } from './patroni-settings.ts';
import { familyOf, isRunning, signalAll } from './process-family.ts';

/** A PostgreSQL with its Patroni: one machine of the cluster. */
export type PatroniMember = MemberPlace & {
  start(): void;
  /** Kills Patroni and PostgreSQL, as the loss of the machine does. */
  kill(): Promise<void>;
  /** Kills PostgreSQL; its Patroni goes on. */
  killPostgres(): Promise<void>;
  /** Suspends Patroni and PostgreSQL; the result resumes them. */
  freeze(): Promise<() => void>;
  log(): Promise<string>;
  remove(): Promise<void>;
};

/** Its own temporary folder, so that the guard of a run finds the PostgreSQL in it. */
export async function createMember(name: string, etcdHosts: string): Promise<PatroniMember> {
  const folder = await mkdtemp(join(tmpdir(), `tocsin-patroni-${name}-`));
  const owner = await unprivilegedUser(folder);
  const place = {
    name,
    folder,
    restPort: await freePort(),
    port: await freePort(),
    bin: await postgresBin(),
  };
  const file = join(folder, 'patroni.json');
  await writeFile(file, patroniSettings(place, etcdHosts));
  const patroni = createDaemon({ name, program: '/usr/bin/patroni', args: [file], folder, owner });
  const postmaster = async () => {
    const text = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
    return Number(text.split('\n', 1)[0] ?? 0);
  };
  const killPostgres = async () => {
    const family = familyOf(await postmaster());
    signalAll(family, 'SIGKILL');
    while (family.some(isRunning)) await sleep(10);
  };
  return {
    ...place,
    start: patroni.start,
    kill: async () => {
      await patroni.kill();
      await killPostgres();
    },
    killPostgres,
    freeze: async () => {
      const pids = [patroni.pid(), ...familyOf(await postmaster())];
      signalAll(pids, 'SIGSTOP');
      return () => signalAll(pids, 'SIGCONT');
    },
    log: patroni.log,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

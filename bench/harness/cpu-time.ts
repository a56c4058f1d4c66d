import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { queryDatabase } from './sql/query-database.ts';

/** Of `times` in /proc, on every Linux there is. */
const ticksPerSecond = 100;

type ProcessTimes = { parent: number; seconds: number; ended: number };

/** Seconds of CPU that a process has taken so far; 0 where there is no /proc to ask. */
export async function cpuSeconds(pid: number): Promise<number> {
  return (await timesOf(pid))?.seconds ?? 0;
}

/** The same of a PostgreSQL server: the postmaster, its children, and those of them that have ended. */
export async function postgresCpuSeconds(postmaster: number): Promise<number> {
  for (;;) {
    const before = await timesOf(postmaster);
    if (!before) return 0;
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const all = await Promise.all(pids.map(timesOf));
    const own = await timesOf(postmaster);
    // A child that ends meanwhile would be counted twice, or not at all.
    if (own?.ended !== before.ended) continue;
    const children = all.filter((times) => times?.parent === postmaster);
    return children.reduce((sum, times) => sum + (times?.seconds ?? 0), own.seconds + own.ended);
  }
}

/** The process number of the server that keeps a database, which must be on this machine. */
export async function postmasterOf(databaseUrl: string): Promise<number> {
  const [row] = await queryDatabase<{ folder: string }>(
    databaseUrl,
    `select current_setting('data_directory') as folder`,
  );
  const file = await readFile(join(row?.folder ?? '', 'postmaster.pid'), 'utf8');
  return Number(file.split('\n', 1)[0]);
}

async function timesOf(pid: number): Promise<ProcessTimes | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  // The name of the program stands in brackets and may hold spaces; the numbers come behind it.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0] = fields.slice(1);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
  const seconds = (user + system) / ticksPerSecond;
  return { parent, seconds, ended: (endedUser + endedSystem) / ticksPerSecond };
}

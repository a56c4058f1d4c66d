import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs a script with pgbench as the application role; gives transactions a second and their mean milliseconds. */
export async function runPgbench(
  databaseUrl: string,
  script: string,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<{ perSecond: number; milliseconds: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-pgbench-'));
  const file = join(folder, 'script.sql');
  await writeFile(file, script);
  const { pathname, hostname, port, username } = new URL(databaseUrl);
  const { stdout } = await promisify(execFile)(
    'pgbench',
    [
      '-h',
      hostname,
      '-p',
      port,
      '-U',
      username,
      '-n',
      '-M',
      'prepared',
      '-D',
      'n=0',
      '-c',
      String(clients),
      '-j',
      '1',
      '-T',
      String(seconds),
      '-f',
      file,
      pathname.slice(1),
    ],
    {
      env: { PATH: process.env['PATH'] ?? '', PGOPTIONS: '-c role=tocsin_app -c timezone=UTC' },
      maxBuffer: 1 << 24,
    },
  );
  await rm(folder, { recursive: true });
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  const milliseconds = Number(/latency average = ([\d.]+) ms/.exec(stdout)?.[1]);
  if (!(perSecond > 0)) throw new Error(`pgbench said nothing of its speed:\n${stdout}`);
  return { perSecond, milliseconds };
}

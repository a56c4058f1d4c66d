import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The system calls of a process that name a file or connect to an address. */
export type FileTrace = { stop(): Promise<string[]> };

/** Follows a running process and all its threads, until it is stopped. */
export async function traceFiles(pid: number): Promise<FileTrace> {
  if (spawnSync('strace', ['-V']).status !== 0) throw new Error('strace is needed: apt-get install strace');
  const file = join(await mkdtemp(join(tmpdir(), 'tocsin-trace-')), 'calls');
  const args = ['-f', '-s', '8192', '-e', 'trace=%file,connect', '-o', file, '-p', String(pid)];
  const tracer = spawn('strace', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const [said] = (await once(tracer.stderr, 'data')) as [Buffer];
  if (!String(said).includes('attached'))
    throw new Error(`strace cannot follow the server, perhaps because it needs root: ${String(said)}`);
  tracer.stderr.resume();
  return {
    stop: async () => {
      const exited = once(tracer, 'exit');
      tracer.kill('SIGINT');
      await exited;
      return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
    },
  };
}

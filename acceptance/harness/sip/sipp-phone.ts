import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePortBlock } from './sip-ports.ts';
import { type SippBehaviour, sippScenario } from './sipp-scenario.ts';

/** A phone that follows a script, for what no real phone does on demand. */
export type SippPhone = {
  readonly port: number;
  /** All messages that it sent and received. */
  messages(): Promise<string>;
  stop(): Promise<void>;
};

export async function startSippPhone(behaviour: SippBehaviour): Promise<SippPhone> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-sipp-'));
  const port = await freePortBlock();
  const script = join(folder, 'phone.xml');
  await writeFile(script, sippScenario(behaviour));
  const log = join(folder, 'messages.log');
  const args = ['-sf', script, '-i', '127.0.0.1', '-p', String(port), '-mp', String(port + 2), '-nostdin'];
  const child = spawn(
    'sipp',
    [...args, '-trace_msg', '-message_file', log, '-trace_err', '-error_file', join(folder, 'errors.log')],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm' },
      stdio: 'ignore',
    },
  );
  const phone: SippPhone = {
    port,
    messages: () => readFile(log, 'utf8').catch(() => ''),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
  for (let tries = 0; await isFree(port); tries += 1) {
    if (tries > 200 || child.exitCode !== null) {
      const errors = await readFile(join(folder, 'errors.log'), 'utf8').catch(() => '');
      await phone.stop();
      throw new Error(`sipp does not listen: ${errors}`);
    }
    await sleep(20);
  }
  return phone;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)));
  });
}

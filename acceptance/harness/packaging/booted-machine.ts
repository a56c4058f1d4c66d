import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { run } from './commands.ts';
import { initOf, poll } from './nspawn.ts';

export type BootedMachine = {
  /** Runs a command of the shell in the machine and returns its output. */
  shell(command: string): Promise<string>;
  /** Shuts the machine down and returns the exit code of systemd-nspawn. */
  powerOff(): Promise<number | null>;
};

/** The environment of commands in the machine: nothing of this one, whose folders do not exist there. */
const environment = [
  'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
  'DEBIAN_FRONTEND=noninteractive',
  'LC_ALL=C.UTF-8',
];

/** Boots the Debian in a folder with its own systemd. Its network is a loopback interface of its own. */
export async function bootMachine(root: string): Promise<BootedMachine> {
  const flags = ['--quiet', '--boot', '--register=no', '--keep-unit', '--console=pipe', '--private-network'];
  const child = spawn(
    'systemd-nspawn',
    [...flags, '--directory', root, '--machine', `tocsin-${process.pid}`],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const failed = () => new Error(`the machine does not boot:\n${output.slice(-4_000)}`);
  const init = await poll(() => initOf(child, 'systemd'), 30_000, failed);
  const inside = ['--target', String(init), '--all', '--', '/usr/bin/env', '-i', ...environment];
  const shell = (command: string) => run('nsenter', [...inside, 'sh', '-ec', command]);
  const powerOff = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = once(child, 'exit');
    await shell('systemctl poweroff').catch(() => child.kill('SIGTERM'));
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
    await exited;
    clearTimeout(timer);
    return child.exitCode;
  };
  try {
    const isRunning = async () =>
      /^(running|degraded)$/.test(await shell('systemctl is-system-running || true'));
    await poll(async () => ((await isRunning().catch(() => false)) ? true : undefined), 90_000, failed);
  } catch (error) {
    await powerOff();
    throw error;
  }
  return { shell, powerOff };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Service } from '../../../tools/compose-file.ts';
import type { Image } from './buildah.ts';
import { run } from './commands.ts';
import { initOf, poll } from './nspawn.ts';

/** What a container gets from outside: folders by their place in it, and values for the variables of the compose file. */
export type Surroundings = {
  readonly folders: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
};

export type Container = {
  /** The number of its first process on this machine. */
  readonly pid: number;
  /** Runs a program in the container with its environment and user, as a health check does. */
  execute(command: readonly string[]): Promise<string>;
  /** Runs a program of this machine in the network of the container. */
  inNetwork(command: string, ...args: string[]): Promise<string>;
  /** Sends the signal that the image asks for, and returns the exit code; kills it after the time that the service allows. */
  stop(): Promise<number | null>;
};

/** `${NAME:-default}` of a compose file. */
const withVariables = (text: string, variables: Surroundings['variables']) =>
  text.replaceAll(
    /\$\{(\w+):-([^}]*)\}/g,
    (_, name: string, fallback: string) => variables[name] ?? fallback,
  );

function environmentOf({ config }: Image, service: Service, { variables }: Surroundings): string[] {
  const own = Object.entries(service.environment ?? {}).map(
    ([name, value]) => `${name}=${withVariables(String(value), variables)}`,
  );
  return [...config.Env, ...own];
}

const uidOf = ({ user = '' }: Service) => /^\d+/.exec(user)?.[0] ?? '0';

/** The arguments of systemd-nspawn that give a service what its entry in the compose file does, and nothing else. */
function argumentsOf(image: Image, service: Service, surroundings: Surroundings): string[] {
  const options = [
    '--quiet',
    '--register=no',
    '--keep-unit',
    '--console=pipe',
    '--private-network',
    `--machine=tocsin-${process.pid}-${Math.floor(performance.now())}`,
    `--directory=${image.root}`,
    `--user=${uidOf(service)}`,
    `--chdir=${image.config.WorkingDir}`,
  ];
  if (service.read_only) options.push('--read-only');
  if (service.cap_drop?.includes('ALL')) options.push('--drop-capability=all');
  if (service.security_opt?.includes('no-new-privileges:true')) options.push('--no-new-privileges=yes');
  const places = [
    ...(service.tmpfs ?? []).map((place) => `--tmpfs=${place}:mode=1777`),
    ...Object.entries(surroundings.folders).map(([place, folder]) => `--bind-ro=${folder}:${place}`),
  ];
  const environment = environmentOf(image, service, surroundings).map((value) => `--setenv=${value}`);
  const command = [...(service.entrypoint ?? image.config.Entrypoint), ...(service.command ?? [])];
  return [...options, ...places, ...environment, '--', ...command];
}

function spawnContainer(args: readonly string[]) {
  const child = spawn('systemd-nspawn', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { text: '' };
  child.stdout.on('data', (chunk) => (printed.text += String(chunk)));
  child.stderr.on('data', (chunk) => (printed.text += String(chunk)));
  return { child, printed, exited: once(child, 'close') };
}

/** Runs a service that ends by itself. Returns its exit code and what it has printed. */
export async function runContainer(
  image: Image,
  service: Service,
  surroundings: Surroundings,
): Promise<{ code: number | null; printed: string }> {
  const { child, printed, exited } = spawnContainer(argumentsOf(image, service, surroundings));
  await exited;
  return { code: child.exitCode, printed: printed.text };
}

const secondsOf = (period = '10s') => Number(period.replace(/s$/, ''));

/** Starts a service whose first process is Node.js. */
export async function startContainer(
  image: Image,
  service: Service,
  surroundings: Surroundings,
): Promise<Container> {
  const { child, printed, exited } = spawnContainer(argumentsOf(image, service, surroundings));
  const failed = () => new Error(`the container does not start:\n${printed.text.slice(-4_000)}`);
  const pid = await poll(() => initOf(child, 'node'), 30_000, failed);
  const target = ['--target', String(pid)];
  const environment = environmentOf(image, service, surroundings);
  const identity = [`--setuid=${uidOf(service)}`, `--setgid=${uidOf(service)}`];
  return {
    pid,
    execute: ([program = '', ...args]) =>
      run('nsenter', [
        ...target,
        '--all',
        ...identity,
        '--',
        '/usr/bin/env',
        '-i',
        `--chdir=${image.config.WorkingDir}`,
        ...environment,
        program,
        ...args,
      ]),
    inNetwork: (command, ...args) => run('nsenter', [...target, '--net', '--', command, ...args]),
    stop: async () => {
      if (child.exitCode === null) process.kill(pid, image.config.StopSignal);
      const timer = setTimeout(() => child.kill('SIGKILL'), secondsOf(service.stop_grace_period) * 1_000);
      await exited;
      clearTimeout(timer);
      return child.exitCode;
    },
  };
}

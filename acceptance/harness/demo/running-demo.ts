import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { freePort } from '../../../tools/postgres-cluster.ts';
import { commandLineMain } from '../main-files.ts';

export type RunningDemo = {
  /** Everything that it has printed, without the colours of a terminal. */
  output(): string;
  press(key: string): void;
  /** As printed: the link that signs in, the page of the telephones, the server, and the key of the control system. */
  readonly addresses: Addresses;
  signal(name: NodeJS.Signals): void;
  /** The exit code. */
  readonly exited: Promise<number | null>;
};

export type Addresses = {
  readonly signIn: string;
  readonly phones: string;
  readonly server: string;
  readonly key: string;
};

type Start = {
  readonly folder: string;
  /** Whether it runs in a terminal, where it has keys. */
  readonly hasTerminal: boolean;
  /** By default the sources of this repository. */
  readonly command?: readonly string[];
};

/** Colours and the line that shows the running step. */
const withoutEscapes = (text: string) => stripVTControlCharacters(text).replaceAll('\r', '');

/** The command of the demo in this repository. */
const fromSource = [process.execPath, '--conditions=source', commandLineMain];

/** Starts the demo and waits until it has printed its addresses. */
export async function startDemo({ folder, hasTerminal, command = fromSource }: Start): Promise<RunningDemo> {
  const ports = ['--port', String(await freePort()), '--phones-port', String(await freePort())];
  const args = [...command, 'demo', '--dir', folder, ...ports];
  const child = hasTerminal ? inTerminal(args) : spawnDemo(args);
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += String(chunk)));
  child.stderr.on('data', (chunk) => (printed += String(chunk)));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const output = () => withoutEscapes(printed);
  let hasEnded = false;
  void exited.then(() => (hasEnded = true));
  while (!output().includes('"raised":true')) {
    if (hasEnded) throw new Error(`the demo has ended:\n${output()}`);
    await sleep(20);
  }
  return {
    output,
    press: (key) => void child.stdin.write(key),
    addresses: addressesIn(output()),
    signal: (name) => void child.kill(name),
    exited,
  };
}

const environment = () => ({
  PATH: process.env['PATH'] ?? '',
  TMPDIR: tmpdir(),
  TERM: 'xterm',
  SHELL: '/bin/sh',
  NODE_COMPILE_CACHE: join(tmpdir(), 'compile-cache'),
});

const spawnDemo = ([program = '', ...args]: readonly string[]): ChildProcessWithoutNullStreams =>
  spawn(program, args, { env: environment() });

/** `script` gives the program a terminal. */
const inTerminal = (args: readonly string[]): ChildProcessWithoutNullStreams =>
  spawn('script', ['-qefc', `exec ${args.join(' ')}`, '/dev/null'], { env: environment() });

function addressesIn(text: string): Addresses {
  const find = (pattern: RegExp) => {
    const [, found] = pattern.exec(text) ?? [];
    if (found === undefined) throw new Error(`the demo did not print ${pattern}:\n${text}`);
    return found;
  };
  return {
    signIn: find(/Console +(http:\S+\/sign-in\/\S+)/),
    phones: find(/Telephones +(http:\S+)/),
    server: find(/curl (http:\/\/[\d.:]+)\/api/),
    key: find(/Bearer (\S+)'/),
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../tools/postgres-cluster.ts';
import { encodeText } from './alphabet.ts';
import { type Behaviour, centreAccount } from './centre-state.ts';
import type { StoryCentre } from './sms-centre.ts';
import { type ReceivedPart, textsIn, untilTexts } from './sms-texts.ts';

/** A centre of Perl's Net::SMPP, which shares no code with our channel and our own centre. */
export type PerlCentre = StoryCentre & {
  /** The lines that it has printed. */
  readonly lines: string[];
};

const script = fileURLToPath(new URL('net-smpp-centre.pl', import.meta.url));

export async function startPerlCentre(): Promise<PerlCentre> {
  const port = await freePort();
  const child = spawn('/usr/bin/perl', [script, String(port)]);
  let output = '';
  let complaints = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (complaints += String(chunk)));
  child.stdin.on('error', () => undefined);
  while (!output.includes('listening')) {
    if (child.exitCode !== null)
      throw new Error(`Net::SMPP is needed: apt-get install libnet-smpp-perl\n${complaints}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const stop = async () => {
    const exited = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGKILL')) await exited;
  };
  const lines = () => output.split('\n').slice(1, -1);
  return centreOver(lines, (command) => void child.stdin.write(`${command}\n`), { port, stop });
}

function centreOver(
  lines: () => string[],
  command: (text: string) => void,
  running: Pick<PerlCentre, 'port' | 'stop'>,
): PerlCentre {
  let replies = 0;
  const received = () => lines().flatMap(submittedIn);
  return {
    ...running,
    account: centreAccount,
    get lines() {
      return lines();
    },
    get received() {
      return received();
    },
    binds: () => lines().filter((line) => line.startsWith('bound ')).length,
    bound: () =>
      Number(
        lines()
          .findLast((line) => /^(bound|ended) /.test(line))
          ?.split(' ')[1] ?? 0,
      ),
    behave: (behaviour, to = '*') => command(`behave ${to} ${wordsFor(behaviour)}`),
    textsFor: (to, count = 1) => untilTexts(() => textsIn(received(), to), count),
    reply: async (from, text) => {
      replies += 1;
      const sequence = replies;
      command(`deliver ${sequence} ${from.replace('+', '')} ${encodeText(text).toString('hex')}`);
      return untilConfirmed(lines, sequence);
    },
    send: (bytes) => command(`raw ${bytes.toString('hex')}`),
    cut: () => command('cut'),
  };
}

function submittedIn(line: string): ReceivedPart[] {
  const [what, to = '', dataCoding, esmClass, hex = ''] = line.split(' ');
  if (what !== 'submitted') return [];
  return [{ to, dataCoding: Number(dataCoding), esmClass: Number(esmClass), body: Buffer.from(hex, 'hex') }];
}

function wordsFor(behaviour: Behaviour): string {
  if (behaviour.kind === 'accept') return `accept ${behaviour.receipt ?? ''}`;
  if (behaviour.kind === 'refuse') return `refuse ${behaviour.status} ${behaviour.times ?? 1_000_000}`;
  if (behaviour.kind === 'silent') return 'silent';
  throw new Error(`the centre of Net::SMPP cannot do this: ${behaviour.kind}`);
}

async function untilConfirmed(lines: () => string[], sequence: number): Promise<number> {
  const deadline = performance.now() + 20_000;
  for (;;) {
    const line = lines().find((one) => one.startsWith(`confirmed ${sequence} `));
    if (line !== undefined) return Number(line.split(' ')[2]);
    if (performance.now() > deadline) throw new Error(`reply ${sequence} was not confirmed`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { CommandError } from '../../common/command-error.ts';

/** A program that the demo has started and will end. */
export type Child = {
  /** Its last output, for an error message. */
  output(): string;
  /** Resolves when its output contains the text; throws if it ends before. */
  says(text: string): Promise<void>;
  /** Throws if it has ended. */
  requireRunning(): void;
  /** Resolves when it ends by itself. */
  readonly ended: Promise<void>;
  /** Sends the signal and waits for its end; kills it after the time has passed. */
  stop(signal: NodeJS.Signals, withinMs: number): Promise<void>;
};

type Program = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly logFile: string;
  readonly options: SpawnOptions;
};

const rememberedCharacters = 4_000;

/** Starts a program in a process group of its own, so that Ctrl+C reaches the demo only, which ends all in order. */
export function startChild({ name, command, args, logFile, options }: Program): Child {
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 });
  let output = '';
  let failure: Error | undefined;
  const waiting = new Set<() => void>();
  const onOutput = (chunk: Buffer) => {
    log.write(chunk);
    output = `${output}${String(chunk)}`.slice(-rememberedCharacters);
    for (const check of waiting) check();
  };
  child.stdout?.on('data', onOutput);
  child.stderr?.on('data', onOutput);
  child.on('error', (error) => (failure = error));
  const ended = endOf(child);
  void ended.finally(() => {
    log.end();
    for (const check of waiting) check();
  });
  const hasEnded = () => failure !== undefined || child.exitCode !== null || child.signalCode !== null;
  const requireRunning = () => {
    if (!hasEnded()) return;
    const why = failure?.message ?? `it ended with ${child.exitCode ?? child.signalCode}`;
    throw new CommandError(`${name} does not run: ${why}.\n${output.trim()}\nIts log is ${logFile}.`);
  };
  return {
    output: () => output,
    requireRunning,
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!output.includes(text) && !hasEnded()) return;
          waiting.delete(check);
          try {
            if (!output.includes(text)) requireRunning();
            resolve();
          } catch (error) {
            reject(error);
          }
        };
        waiting.add(check);
        check();
      }),
    stop: async (signal, withinMs) => {
      if (hasEnded()) return;
      child.kill(signal);
      const kill = setTimeout(() => child.kill('SIGKILL'), withinMs);
      await ended;
      clearTimeout(kill);
    },
  };
}

/** A program that cannot be started has no exit. */
async function endOf(child: ChildProcess): Promise<void> {
  await Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => undefined);
}

/** Runs a program to its end, with a text for its standard input. Throws with its output if it fails. */
export async function runToEnd(
  command: string,
  args: readonly string[],
  { input = '', ...options }: SpawnOptions & { input?: string },
): Promise<string> {
  const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  child.stdin.on('error', () => undefined).end(input);
  const code = await new Promise<number | string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', resolve);
  });
  if (code !== 0) throw new CommandError(`${command} ended with ${code}:\n${output.trim()}`);
  return output;
}

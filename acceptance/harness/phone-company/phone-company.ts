import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Behaviour, Control, Faults, LogLine } from './protocol.ts';

export type PhoneCompany = {
  readonly url: string;
  /** Path of the log: one JSON object a line, by the clock of the company. */
  readonly logFile: string;
  /** Sets the behaviour of a phone. A list is played call by call; its last item stays. */
  script(number: string, behaviour: Behaviour | Behaviour[]): Promise<void>;
  /** Sets the behaviour of phones without a script; by default they accept every call and never answer. */
  scriptOthers(behaviour: Behaviour): Promise<void>;
  /** Sets the faults of the company; `{}` ends them. */
  faults(faults: Faults): Promise<void>;
  /** Whether repeated orders are recognised. By default they are not, as with most real providers. */
  idempotent(yes: boolean): Promise<void>;
  log(): Promise<LogLine[]>;
  /** Returns to the initial state. */
  reset(): Promise<void>;
  /** Waits for `count` log lines that fit and returns them; fails after `withinMs` with the whole log. */
  until(
    fits: (line: LogLine) => boolean,
    options?: { count?: number; withinMs?: number },
  ): Promise<LogLine[]>;
  /** Accepted orders for numbers without a script; there should be none. */
  unexpected(): Promise<LogLine[]>;
  stop(): Promise<void>;
};

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Starts the simulated phone company in its own process, on the loopback interface. */
export async function startPhoneCompany({
  port = 0,
  dir,
  callbackSecret,
}: {
  port?: number;
  dir?: string;
  callbackSecret?: string;
} = {}): Promise<PhoneCompany> {
  const folder = dir ?? (await mkdtemp(join(tmpdir(), 'tocsin-phone-company-')));
  const logFile = join(folder, 'phone-company.jsonl');
  const child = spawn(process.execPath, [main, String(port), logFile], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [Buffer | number];
  if (typeof line === 'number') throw new Error(`the phone company ended with ${line}`);
  const url = `http://127.0.0.1:${Number(String(line))}`;

  const scripted = new Set<string>();
  const control = async (change: Control) => {
    const answer = await fetch(`${url}/control`, { method: 'POST', body: JSON.stringify(change) });
    if (!answer.ok) throw new Error(`the phone company does not understand ${JSON.stringify(change)}`);
  };
  if (callbackSecret !== undefined) await control({ callbackSecret });
  const log = () => readLog(logFile);

  return {
    url,
    logFile,
    script: (number, behaviour) => {
      scripted.add(number);
      return control({ phones: { [number]: behaviour } });
    },
    scriptOthers: (others) => control({ others }),
    faults: (faults) => control({ faults }),
    idempotent: (idempotent) => control({ idempotent }),
    log,
    reset: () => {
      scripted.clear();
      return control({ reset: true });
    },
    until: (fits, options) => until(log, fits, options),
    unexpected: async () =>
      (await log()).filter(({ event, to }) => event === 'accepted' && !scripted.has(to)),
    stop: async () => {
      const exited = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGTERM')) await exited;
      if (dir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function readLog(file: string): Promise<LogLine[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine);
}

async function until(
  log: () => Promise<LogLine[]>,
  fits: (line: LogLine) => boolean,
  { count = 1, withinMs = 10_000 } = {},
): Promise<LogLine[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const lines = await log();
    const found = lines.filter(fits);
    if (found.length >= count) return found;
    if (performance.now() > deadline) {
      throw new Error(
        `only ${found.length} of ${count} after ${withinMs} ms; the log: ${JSON.stringify(lines)}`,
      );
    }
    await sleep(20);
  }
}

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
  /** Where the log is: one JSON object a line, by the company's own clock. */
  readonly logFile: string;
  /** What the phone at a number does from now on. A list is gone through; its last stays. */
  script(number: string, behaviour: Behaviour | Behaviour[]): Promise<void>;
  /** What phones do that nobody has scripted: they take everything and say nothing, unless told otherwise. */
  scriptOthers(behaviour: Behaviour): Promise<void>;
  /** What is wrong from now on; `{}` puts everything right. */
  faults(faults: Faults): Promise<void>;
  /** Whether an order that was taken already is recognised. At first it is not, as with most real ones. */
  idempotent(yes: boolean): Promise<void>;
  log(): Promise<LogLine[]>;
  /** As if it had just been started. */
  reset(): Promise<void>;
  /** Waits until the log has as many lines that fit, and gives them; fails after a while with what there is. */
  until(
    fits: (line: LogLine) => boolean,
    options?: { count?: number; withinMs?: number },
  ): Promise<LogLine[]>;
  /** Orders taken for numbers that nobody has scripted: there should be none. */
  unexpected(): Promise<LogLine[]>;
  stop(): Promise<void>;
};

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Starts the simulated phone company in a process of its own, on the loopback. */
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
  const control = async (wish: Control) => {
    const answer = await fetch(`${url}/control`, { method: 'POST', body: JSON.stringify(wish) });
    if (!answer.ok) throw new Error(`the phone company does not understand ${JSON.stringify(wish)}`);
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

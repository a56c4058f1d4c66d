import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A modem of gammu-smsd without hardware: gammu's dummy telephone. */
export type GammuModem = {
  /** The folder with `inbox`, `outbox`, `sent` and `error`. */
  readonly directory: string;
  /** The texts that the modem has sent to a number. Waits until there are `count`. */
  textsFor(number: string, count?: number): Promise<string[]>;
  /** Lets a text arrive at the modem. */
  receive(from: string, text: string): Promise<void>;
  log(): Promise<string>;
  /** Ends gammu-smsd and leaves its folders. */
  halt(): Promise<void>;
  stop(): Promise<void>;
};

const run = promisify(execFile);

export const modemFolders = ['inbox', 'outbox', 'sent', 'error'];

/** Starts gammu-smsd in `directory`, which is made, by default in a temporary folder. */
export async function startGammuModem(directory?: string): Promise<GammuModem> {
  const root = await mkdtemp(join(tmpdir(), 'tocsin-modem-'));
  const folder = directory ?? join(root, 'modem');
  for (const name of modemFolders) await mkdir(join(folder, name), { recursive: true });
  for (let memory = 1; memory <= 5; memory += 1)
    await mkdir(join(root, 'phone', 'sms', String(memory)), { recursive: true });
  const phone = `[gammu]\nmodel = dummy\nconnection = none\ndevice = ${join(root, 'phone')}\n`;
  await writeFile(join(root, 'gammurc'), phone);
  await writeFile(join(root, 'smsdrc'), `${phone}\n${daemonSettings(folder, join(root, 'smsd.log'))}`);
  const args = ['-c', join(root, 'smsdrc'), '--pid', join(folder, 'smsd.pid')];
  const child = spawn('gammu-smsd', args, { stdio: 'ignore' });
  await once(child, 'spawn');
  const halt = () => end(child);
  return {
    directory: folder,
    textsFor: (number, count = 1) => sentTexts(join(folder, 'sent'), number, count),
    receive: async (from, text) => {
      const message = ['-folder', '1', '-unread', '-sender', from, '-autolen', '900', '-text', text];
      await run('gammu', ['-c', join(root, 'gammurc'), 'savesms', 'TEXT', ...message]);
    },
    log: () => readFile(join(root, 'smsd.log'), 'utf8'),
    halt,
    stop: async () => {
      await halt();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function daemonSettings(folder: string, log: string): string {
  return `[smsd]
service = files
logfile = ${log}
debuglevel = 1
commtimeout = 1
receivefrequency = 1
statusfrequency = 0
loopsleep = 1
transmitformat = auto
inboxformat = unicode
inboxpath = ${folder}/inbox/
outboxpath = ${folder}/outbox/
sentsmspath = ${folder}/sent/
errorsmspath = ${folder}/error/
`;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function sentTexts(folder: string, number: string, count: number): Promise<string[]> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const names = (await readdir(folder)).filter((name) => name.includes(`_${number}_`)).toSorted();
    if (names.length >= count)
      return await Promise.all(
        names.map(async (name) => (await readFile(join(folder, name))).toString('utf16le', 2)),
      );
    if (performance.now() > deadline) throw new Error(`${names.length} of ${count} texts were sent`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

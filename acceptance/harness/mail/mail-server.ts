import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../tools/postgres-cluster.ts';

export type MailServer = {
  /** Takes mail from anybody, for anybody at `plant.example` but those whose name begins with `nobody`. */
  readonly port: number;
  /** The mails that have come for a name at `plant.example`; waits until there are as many. */
  mailsFor(name: string, count?: number): Promise<string[]>;
  stop(): Promise<void>;
};

/** As root only: the server wants to become other users. Then in a view of the file system of its own. */
export const canRunMailServer = process.getuid?.() === 0;

const program = '/usr/sbin/smtpd';
const ownView = '/usr/bin/unshare';

/**
 * OpenSMTPD, in a temporary folder and on a free port of the loopback, delivering into folders. Without encryption:
 * Debian 12's fails every handshake, for want of its own private key.
 */
export async function startMailServer(): Promise<MailServer> {
  if (!existsSync(program)) throw new Error('OpenSMTPD is needed: apt-get install opensmtpd');
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-mail-'));
  await chmod(folder, 0o755);
  const boxes = join(folder, 'boxes');
  await mkdir(boxes);
  await chmod(boxes, 0o777);
  const port = await freePort();
  await writeConfiguration(folder, { port, boxes });
  // Its queue and its control socket have fixed places: it gets empty ones that nobody else sees.
  const view = 'mount -t tmpfs none /run && mkdir -p /var/spool && mount -t tmpfs none /var/spool';
  const args = ['--mount', '--propagation', 'private', 'sh', '-c', `${view} && exec ${program} -d -f "$0"`];
  const child = spawn(ownView, [...args, join(folder, 'smtpd.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (chunk) => (complaints += String(chunk)));
  await untilOpen(child, port, () => complaints);
  return {
    port,
    mailsFor: (name, count = 1) => mailsIn(join(boxes, name, 'new'), count, () => complaints),
    stop: async () => {
      const exited = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGTERM')) await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writeConfiguration(
  folder: string,
  { port, boxes }: { port: number; boxes: string },
): Promise<void> {
  await writeFile(join(folder, 'people'), '@plant.example nobody\n');
  const deliver = `/usr/libexec/opensmtpd/mail.maildir ${boxes}/%{rcpt.user:lowercase}`;
  await writeFile(
    join(folder, 'smtpd.conf'),
    `table people file:${folder}/people
listen on 127.0.0.1 port ${port} hostname mail.plant.example
action "deliver" mda "${deliver}" virtual <people>
match from any for rcpt-to regex "^nobody.*@plant.example$" reject
match from any for domain "plant.example" action "deliver"
`,
  );
}

async function untilOpen(child: ChildProcess, port: number, complaints: () => string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill();
      throw new Error(`OpenSMTPD does not listen:\n${complaints()}`);
    }
    await sleep(30);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}

async function mailsIn(folder: string, count: number, complaints: () => string): Promise<string[]> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const names = await readdir(folder).catch(() => []);
    if (names.length >= count) return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    if (performance.now() > deadline)
      throw new Error(`${names.length} of ${count} mails in ${folder}:\n${complaints()}`);
    await sleep(20);
  }
}

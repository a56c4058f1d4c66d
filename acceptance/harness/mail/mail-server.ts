import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../tools/postgres-cluster.ts';
import { untilListening } from './until-listening.ts';

export type MailServer = {
  /** Accepts mail for every address at `plant.example`, except names that begin with `nobody`. */
  readonly port: number;
  /** The folder of all mailboxes. Mails to `ack+…` and `bounce+…` are in the mailbox `replies`. */
  readonly boxes: string;
  /** Waits for `count` mails to a name at `plant.example` and returns them. */
  mailsFor(name: string, count?: number): Promise<string[]>;
  stop(): Promise<void>;
};

const program = '/usr/sbin/smtpd';
const unshare = '/usr/bin/unshare';

/**
 * Starts OpenSMTPD in a temporary folder on a free port of the loopback interface. It delivers into folders. It runs
 * without encryption, because every TLS handshake of Debian 12's package fails. Mail to `far.example` goes on to the
 * mail server on `nextHop`.
 */
export async function startMailServer({ nextHop }: { nextHop?: number } = {}): Promise<MailServer> {
  requireRoot();
  if (!existsSync(program)) throw new Error('OpenSMTPD is needed: apt-get install opensmtpd');
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-mail-'));
  await chmod(folder, 0o755);
  const boxes = join(folder, 'boxes');
  await mkdir(boxes);
  await chmod(boxes, 0o777);
  const port = await freePort();
  await writeConfiguration(folder, { port, boxes, nextHop });
  // Its queue and its control socket have fixed paths, so it gets private mounts there.
  const mounts = 'mount -t tmpfs none /run && mkdir -p /var/spool && mount -t tmpfs none /var/spool';
  const args = ['--mount', '--propagation', 'private', 'sh', '-c', `${mounts} && exec ${program} -d -f "$0"`];
  const child = spawn(unshare, [...args, join(folder, 'smtpd.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (chunk) => (complaints += String(chunk)));
  try {
    await untilListening(child, { port, name: 'OpenSMTPD', complaints: () => complaints });
  } catch (error) {
    child.kill();
    throw error;
  }
  return {
    port,
    boxes,
    mailsFor: (name, count = 1) => mailsIn(join(boxes, name, 'new'), count, () => complaints),
    stop: async () => {
      const exited = once(child, 'exit');
      if (child.exitCode === null && child.kill('SIGTERM')) await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** OpenSMTPD changes its user, and gets mounts of its own. A test that was skipped would look like one that passed. */
function requireRoot(): void {
  if (process.getuid?.() !== 0)
    throw new Error('the tests with OpenSMTPD and Dovecot need root: run them as root, as .ci/run does');
}

async function writeConfiguration(
  folder: string,
  { port, boxes, nextHop }: { port: number; boxes: string; nextHop: number | undefined },
): Promise<void> {
  await writeFile(join(folder, 'people'), '@plant.example nobody\n');
  const deliver = `/usr/libexec/opensmtpd/mail.maildir ${boxes}/%{rcpt.user:lowercase}`;
  const replies = `/usr/libexec/opensmtpd/mail.maildir ${boxes}/replies`;
  const far =
    nextHop === undefined
      ? ''
      : `action "far" relay host "smtp://127.0.0.1:${nextHop}"\nmatch from any for domain "far.example" action "far"\n`;
  await writeFile(
    join(folder, 'smtpd.conf'),
    `table people file:${folder}/people
listen on 127.0.0.1 port ${port} hostname mail.plant.example
action "deliver" mda "${deliver}" virtual <people>
action "replies" mda "${replies}" virtual <people>
match from any for rcpt-to regex "^(ack|bounce)[+].*@plant.example$" action "replies"
match from any for rcpt-to regex "^nobody.*@plant.example$" reject
match from any for domain "plant.example" action "deliver"
${far}`,
  );
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

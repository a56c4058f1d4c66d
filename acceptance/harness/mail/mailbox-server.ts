import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../tools/postgres-cluster.ts';
import type { MailIdentity } from './small-mail-server.ts';
import { untilListening } from './until-listening.ts';

export type MailboxServer = {
  readonly port: number;
  /** Ends the server and its connections. */
  stop(): Promise<void>;
};

export const mailboxLogin = { user: 'replies', password: 'a-mailbox-in-the-plant' };

const program = '/usr/sbin/dovecot';

/**
 * Starts Dovecot (IMAP) in a temporary folder on a port of the loopback interface. It shows the mailboxes of a folder,
 * one for each user. With an identity it offers STARTTLS and refuses passwords that are not encrypted.
 */
export async function startMailboxServer({
  boxes,
  port: wanted,
  identity,
}: {
  boxes: string;
  port?: number;
  identity?: MailIdentity;
}): Promise<MailboxServer> {
  if (!existsSync(program)) throw new Error('Dovecot is needed: apt-get install dovecot-imapd');
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-mailbox-'));
  await chmod(folder, 0o755);
  const port = wanted ?? (await freePort());
  await writeConfiguration(folder, { boxes, port, identity });
  const child = spawn(program, ['-F', '-c', join(folder, 'dovecot.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own group, because the processes of its connections survive it for ten seconds.
    detached: true,
  });
  let complaints = '';
  child.stderr.on('data', (chunk) => (complaints += String(chunk)));
  const stop = async () => {
    const exited = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGTERM')) await exited;
    endGroup(child.pid);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilListening(child, { port, name: 'Dovecot', complaints: () => complaints });
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}

async function writeConfiguration(
  folder: string,
  { boxes, port, identity }: { boxes: string; port: number; identity: MailIdentity | undefined },
): Promise<void> {
  const [run, state] = [join(folder, 'run'), join(folder, 'state')];
  await Promise.all([mkdir(run), mkdir(state)]);
  if (identity) {
    await writeFile(join(folder, 'cert.pem'), identity.cert);
    await writeFile(join(folder, 'key.pem'), identity.key);
  }
  const tls = identity
    ? `ssl = required\nssl_cert = <${folder}/cert.pem\nssl_key = <${folder}/key.pem\ndisable_plaintext_auth = yes`
    : 'ssl = no\ndisable_plaintext_auth = no';
  await writeFile(
    join(folder, 'dovecot.conf'),
    `protocols = imap
base_dir = ${run}
state_dir = ${state}
log_path = ${folder}/log
${tls}
mail_location = maildir:${boxes}/%u
first_valid_uid = 1
mail_uid = 65534
mail_gid = 65534
default_login_user = nobody
default_internal_user = nobody
default_internal_group = nogroup
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
passdb {
  driver = static
  args = password=${mailboxLogin.password}
}
userdb {
  driver = static
  args = uid=65534 gid=65534 home=${state}/%u
}
`,
  );
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // Nobody was left.
  }
}

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';

/**
 * Faulty answers by the step of the protocol: a reply, a delayed one (`later …`), none (`hang`), or the end of the
 * connection (`drop`).
 */
export type MailFaults = Partial<Record<'greeting' | 'MAIL' | 'RCPT' | 'DATA' | 'content', string>>;

/** A key and its self-signed certificate for `localhost` and 127.0.0.1. */
export type MailIdentity = { key: string; cert: string };

export type MailServerSettings = {
  faults?: MailFaults;
  /** Offers STARTTLS with this certificate. */
  identity?: MailIdentity;
  /** Requires this login, over an encrypted connection. */
  login?: { user: string; password: string };
};

export type SmallMailServer = {
  readonly port: number;
  /** Mails that were received completely, whatever the reply was. */
  readonly mails: string[];
  /** Every line that was received unencrypted. */
  readonly overheard: string[];
  stop(): Promise<void>;
};

const laterMs = 500;

const usual: Required<MailFaults> = {
  greeting: '220 small.example',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  content: '250 taken',
};

/** A mail server for faults that a correct one never has. */
export async function startSmallMailServer(settings: MailServerSettings = {}): Promise<SmallMailServer> {
  const mails: string[] = [];
  const overheard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    converse(socket, settings, { mails, overheard });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return {
    port: address.port,
    mails,
    overheard,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

export async function makeMailIdentity(): Promise<MailIdentity> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-mail-identity-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const args = ['req', '-x509', '-days', '2', ...curve, '-keyout', key, '-out', cert, ...names];
  await promisify(execFile)('openssl', args);
  const identity = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  await rm(folder, { recursive: true });
  return identity;
}

type Notes = { mails: string[]; overheard: string[] };

function converse(raw: Socket, { faults = {}, identity, login }: MailServerSettings, record: Notes): void {
  const answers = { ...usual, ...faults };
  let socket = raw;
  let content: string[] | undefined;
  let secured = false;
  let known = login === undefined;

  const say = (answer: string) => {
    if (answer.startsWith('later ')) setTimeout(() => say(answer.slice('later '.length)), laterMs);
    else if (answer === 'drop') socket.destroy();
    else if (answer !== 'hang') socket.write(`${answer}\r\n`);
  };
  const upgrade = () => {
    say('220 go on');
    raw.removeAllListeners('data');
    secured = true;
    socket = new TLSSocket(raw, { isServer: true, ...identity }).on('error', () => undefined);
    listen(socket, hear);
  };
  const welcome = () => {
    const offers = [
      ...(identity && !secured ? ['STARTTLS'] : []),
      ...(login && secured ? ['AUTH PLAIN'] : []),
    ];
    for (const offer of offers) say(`250-${offer}`);
    say('250 HELP');
  };
  const logIn = (token: string) => {
    known = token === Buffer.from(`\0${login?.user}\0${login?.password}`).toString('base64');
    say(known ? '235 welcome' : '535 wrong password');
  };
  const hear = (line: string): void => {
    if (!secured) record.overheard.push(line);
    if (content !== undefined) {
      if (line !== '.') return void content.push(line);
      record.mails.push(content.join('\n'));
      content = undefined;
      return say(answers.content);
    }
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'EHLO') return welcome();
    if (verb === 'STAR') return upgrade();
    if (verb === 'AUTH') return logIn(line.slice('AUTH PLAIN '.length));
    if (verb === 'MAIL' && !known) return say('530 log in first');
    if (verb === 'DATA' && answers.DATA.startsWith('354')) content = [];
    say(answers[verb as keyof MailFaults] ?? '250 ok');
  };
  listen(raw, hear);
  say(answers.greeting);
}

function listen(socket: Socket, hear: (line: string) => void): void {
  let rest = '';
  socket.on('data', (chunk) => {
    const lines = (rest + String(chunk)).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) hear(line);
  });
}

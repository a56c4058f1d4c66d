import type { ImapFlow } from 'imapflow';
import { guardedLookup, refuseAddress } from '../network/connect.ts';
import { ConnectionFault, faultReasons, notConnectedReason } from '../network/connection-fault.ts';
import type { Egress } from '../network/egress.ts';
import type { EmailSettings } from './email-settings.ts';
import { maxMailBytes } from './received-mail.ts';

export type MailboxSettings = {
  readonly host: string;
  readonly port: number;
  readonly security: 'tls' | 'starttls' | 'none';
  readonly certificate: string | undefined;
  readonly user: string;
  readonly password: string;
  readonly mailbox: string;
};

const defaultPort = { tls: 993, starttls: 143, none: 143 };

/** Undefined if the channel reads no replies. */
export function mailboxSettings(settings: EmailSettings): MailboxSettings | undefined {
  const { imapHost: host, imapSecurity: security = 'tls', imapUser = '', imapPassword = '' } = settings;
  if (host === undefined || settings.replyDomain === undefined) return undefined;
  return {
    host,
    port: settings.imapPort ?? defaultPort[security],
    security,
    certificate: settings.certificate,
    user: imapUser,
    password: imapPassword,
    mailbox: settings.imapMailbox ?? 'INBOX',
  };
}

const timeoutsMs = { connect: 4_000, greeting: 4_000, socket: 90_000 };

/** A server without IDLE is asked this often; with IDLE it shows that the connection still lives. */
const pollMs = 45_000;

/** Logs in to the mailbox and selects it; closes it on abort. Rejects with a `ConnectionFault`. */
export async function openMailbox(
  settings: MailboxSettings,
  egress: Egress,
  signal: AbortSignal,
): Promise<ImapFlow> {
  const { host, port, mailbox } = settings;
  const refused = refuseAddress(egress, host, port);
  if (refused) throw refused;
  const client = await imapClient(settings, egress);
  // Every failure also rejects a command, but an error without a listener would end the process.
  client.on('error', () => undefined);
  const close = () => client.close();
  signal.addEventListener('abort', close, { once: true });
  client.once('close', () => signal.removeEventListener('abort', close));
  try {
    signal.throwIfAborted();
    await client.connect();
    await client.mailboxOpen(mailbox);
    return client;
  } catch (error) {
    client.close();
    throw error instanceof ConnectionFault ? error : new ConnectionFault(mailboxReason(error), error);
  }
}

/** Loads the library at its first use: many servers read no mailbox, and would start later. */
async function imapClient(settings: MailboxSettings, egress: Egress): Promise<ImapFlow> {
  const { ImapFlow } = await import('imapflow');
  const { host, port, security, certificate, user, password } = settings;
  return new ImapFlow({
    host,
    port,
    secure: security === 'tls',
    ...(security !== 'tls' && { doSTARTTLS: security === 'starttls' }),
    auth: { user, pass: password },
    // The options of TLS are also those of the TCP connection, so the addresses of the name are checked in both cases.
    tls: { ...(certificate !== undefined && { ca: certificate }), lookup: guardedLookup(egress, port) },
    logger: false,
    disableAutoIdle: true,
    maxIdleTime: pollMs,
    connectionTimeout: timeoutsMs.connect,
    greetingTimeout: timeoutsMs.greeting,
    socketTimeout: timeoutsMs.socket,
    maxLineLength: 1_048_576,
    maxLiteralSize: 2 * maxMailBytes,
    maxResponseSize: 4 * maxMailBytes,
  });
}

/** The reason for the tenant, without the server's text. */
function mailboxReason(error: unknown): string {
  const { authenticationFailed, tlsFailed, mailboxMissing, responseStatus, code } = error as {
    authenticationFailed?: boolean;
    tlsFailed?: boolean;
    mailboxMissing?: boolean;
    responseStatus?: string;
    code?: string;
  };
  if (authenticationFailed === true) return 'the mailbox refused the log-in';
  if (mailboxMissing === true || responseStatus === 'NO') return 'there is no such mailbox';
  if (code === 'CONNECT_TIMEOUT' || code === 'GREETING_TIMEOUT') return faultReasons.noServer;
  const reason = notConnectedReason(error);
  if (tlsFailed === true && reason === faultReasons.noServer)
    return 'the server of the mailbox does not encrypt the connection';
  return reason;
}

/**
 * Hands each unread mail on and marks it as read afterwards, until the signal is aborted. A mail may be handed on again
 * after a crash. Rejects when the connection fails, and when a mail cannot be stored.
 */
export async function readMailbox(
  client: ImapFlow,
  handOn: (source: Buffer) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const arrival = createArrival(client, signal);
  while (!signal.aborted) {
    // Begun before the mails are listed, so that one that arrives meanwhile is not missed.
    const arrived = arrival.next();
    await readUnread(client, handOn, signal);
    if (signal.aborted) return;
    if (!client.usable) throw new ConnectionFault(faultReasons.brokenOff);
    // ImapFlow would begin to listen by itself after 15 seconds only.
    void client.idle().then(
      (ended) => (ended === false ? setTimeout(arrival.ring, pollMs).unref() : undefined),
      // The connection broke in this moment: the next command says so.
      arrival.ring,
    );
    await arrived;
  }
}

async function readUnread(
  client: ImapFlow,
  handOn: (source: Buffer) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const unread = (await client.search({ seen: false }, { uid: true })) || [];
  for (const uid of unread) {
    if (signal.aborted) return;
    const mail = await client.fetchOne(`${uid}`, { source: { maxLength: maxMailBytes } }, { uid: true });
    if (mail && mail.source) await handOn(mail.source);
    await client.messageFlagsAdd(`${uid}`, ['\\Seen'], { uid: true });
  }
}

/** Resolves `next` when there may be a new mail, and when the connection ends. */
function createArrival(client: ImapFlow, signal: AbortSignal): { next(): Promise<void>; ring(): void } {
  let waiting = () => undefined as void;
  const ring = () => waiting();
  client.on('exists', ring);
  client.on('close', ring);
  signal.addEventListener('abort', ring, { once: true });
  return { ring, next: () => new Promise((resolve) => (waiting = resolve)) };
}

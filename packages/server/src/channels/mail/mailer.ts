import type { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { openSocket } from '../network/connect.ts';
import type { Egress } from '../network/egress.ts';
import type { Email } from './email-message.ts';
import type { EmailSettings } from './email-settings.ts';

/** A mail server that takes longer counts as down, and another channel is tried. */
const timeoutsMs = { connect: 5_000, greeting: 5_000, socket: 10_000 };

const defaultPort = { starttls: 587, tls: 465, none: 25 };

/** An e-mail. `begin` is called when the server is ready for it, and returns whether it is still wanted. */
type OutgoingEmail = Email & { begin: () => boolean };

/** Sends e-mails to a mail server over a few connections. */
export type Mailer = {
  sendMail(email: OutgoingEmail): Promise<unknown>;
  verify(): Promise<true>;
  close(): void;
};

export function openMailer(settings: EmailSettings, egress: Egress): Mailer {
  const { host, security = 'starttls', user = '', password = '', certificate, connections = 5 } = settings;
  const { port = defaultPort[security] } = settings;
  const transport = createTransport({
    pool: true,
    maxConnections: connections,
    // One retry, for an idle connection that the server has closed. The escalation decides on further attempts.
    maxRequeues: 1,
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== '' && { auth: { user, pass: password } }),
    tls: certificate === undefined ? {} : { ca: certificate },
    connectionTimeout: timeoutsMs.connect,
    greetingTimeout: timeoutsMs.greeting,
    socketTimeout: timeoutsMs.socket,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options: object, done: SocketCallback) =>
      void passSocket(openSocket(egress, { host, port, timeoutMs: timeoutsMs.connect }), done),
  });
  // Runs after the connection and the log-in. Until then no part of the e-mail was sent.
  transport.use('stream', ({ data, message }, done) => {
    message?.processFunc((content) => {
      if (!(data as unknown as OutgoingEmail).begin()) content.destroy(new Error('the send was aborted'));
      return content;
    });
    done();
  });
  return transport;
}

type SocketCallback = (error: Error | null, options?: object) => void;

/** Adapts a promise to nodemailer's callback. */
async function passSocket(socket: Promise<Socket>, done: SocketCallback): Promise<void> {
  const [opened] = await Promise.allSettled([socket]);
  if (opened.status === 'fulfilled') done(null, { connection: opened.value });
  else done(opened.reason as Error);
}

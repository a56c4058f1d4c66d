import type { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { Type } from 'typebox';
import { type Channel, type ChannelContext, channelKind, type Message, type Outcome } from './channel.ts';
import { openSocket } from './connect.ts';
import { ConnectionFault, faultReasons, logFault } from './connection-fault.ts';
import { composeEmail, type Email, isMailAddress } from './email-message.ts';
import { mailFailure, mailReason } from './email-outcome.ts';
import { secretText } from './setting-schemas.ts';
import { createTurns } from './turns.ts';

/** Milliseconds. A mail server that takes longer is as good as none: another way is tried. */
const timeouts = { connect: 5_000, greeting: 5_000, socket: 10_000 };

const Settings = Type.Object({
  host: Type.String({
    minLength: 1,
    maxLength: 253,
    title: 'Mail server',
    description: 'Name or address.',
    guardsSecrets: true,
  }),
  port: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      title: 'Port',
      guardsSecrets: true,
      description: '587 with STARTTLS, 465 with TLS, 25 without, unless said.',
    }),
  ),
  security: Type.Optional(
    Type.Enum(['starttls', 'tls', 'none'], {
      default: 'starttls',
      title: 'Encryption',
      guardsSecrets: true,
      description: '`none` is for a mail server in the same building only.',
    }),
  ),
  certificate: Type.Optional(
    Type.String({
      maxLength: 16_384,
      title: 'Certificate authority',
      guardsSecrets: true,
      description: 'In PEM; for a mail server whose certificate no public authority has signed.',
    }),
  ),
  user: Type.Optional(Type.String({ maxLength: 256, title: 'User', description: 'Empty: no log-in.' })),
  password: Type.Optional(secretText({ title: 'Password', description: 'Of that user.' })),
  from: Type.Refine(
    Type.String({ maxLength: 254, title: 'Sender', description: 'Mail address that messages come from.' }),
    isMailAddress,
  ),
  fromName: Type.Optional(
    Type.String({ maxLength: 64, title: 'Name of the sender', description: 'Shown before the address.' }),
  ),
  connections: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50,
      default: 5,
      title: 'Connections',
      description: 'To the mail server at most.',
    }),
  ),
});
type Settings = Type.Static<typeof Settings>;

export const emailKind = channelKind({
  title: 'E-mail',
  description: 'Sends each message through a mail server (SMTP).',
  media: ['Email'],
  settings: Settings,
  create: emailChannel,
});

const usualPort = { starttls: 587, tls: 465, none: 25 };

/** A mail, and whom to ask, once the server is ready for it, whether it is still wanted. */
type OutgoingEmail = Email & { begin: () => boolean };

type Mailer = {
  sendMail(email: OutgoingEmail): Promise<unknown>;
  verify(): Promise<true>;
  close(): void;
};

function openMailer(settings: Settings, { egress }: ChannelContext): Mailer {
  const { host, security = 'starttls', user = '', password = '', certificate, connections = 5 } = settings;
  const { port = usualPort[security] } = settings;
  const transport = createTransport({
    pool: true,
    maxConnections: connections,
    // Once, for a connection that the server had closed while it lay idle; further tries are not ours to make.
    maxRequeues: 1,
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== '' && { auth: { user, pass: password } }),
    tls: certificate === undefined ? {} : { ca: certificate },
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.socket,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_options: object, done: SocketTaker) =>
      void hand(openSocket(egress, { host, port, timeoutMs: timeouts.connect }), done),
  });
  // Runs when the connection stands and the log-in is done: before that nothing of the mail has gone out.
  transport.use('stream', ({ data, message }, done) => {
    message?.processFunc((content) => {
      if (!(data as unknown as OutgoingEmail).begin())
        content.destroy(new Error('nobody waits for it any more'));
      return content;
    });
    done();
  });
  return transport;
}

type SocketTaker = (error: Error | null, options?: object) => void;

/** Nodemailer wants to be called back. */
async function hand(socket: Promise<Socket>, done: SocketTaker): Promise<void> {
  const [opened] = await Promise.allSettled([socket]);
  if (opened.status === 'fulfilled') done(null, { connection: opened.value });
  else done(opened.reason as Error);
}

function emailChannel(settings: Settings, context: ChannelContext): Channel {
  const mailer = openMailer(settings, context);
  const sender = { address: settings.from, name: settings.fromName ?? '' };
  // As many as there are connections: what waits here, waits for us and not for the mail server.
  const turns = createTurns(settings.connections ?? 5);
  return {
    send: async (message, signal) => {
      if (!(await turns.wait(signal)))
        return { kind: 'failed', permanent: false, blame: 'queue', reason: 'all connections were in use' };
      return sendEmail({ mailer, sender, context, host: settings.host }, message, signal).finally(() =>
        turns.end(),
      );
    },
    check: async (signal) => {
      try {
        await before(signal, mailer.verify());
        return { works: true };
      } catch (error) {
        logFault(context.log, settings.host, error);
        return { works: false, reason: mailReason(error) };
      }
    },
    close: () => mailer.close(),
  };
}

async function sendEmail(
  {
    mailer,
    sender,
    context,
    host,
  }: { mailer: Mailer; sender: { address: string; name: string }; context: ChannelContext; host: string },
  message: Message,
  signal: AbortSignal,
): Promise<Outcome> {
  if (!isMailAddress(message.address)) {
    return { kind: 'failed', permanent: true, blame: 'recipient', reason: 'not a mail address' };
  }
  const email = composeEmail(message, sender);
  let begun = false;
  const begin = () => {
    begun = !signal.aborted;
    return begun;
  };
  try {
    const attachments = await readAttachments(message, context);
    await before(signal, mailer.sendMail({ ...email, ...attachments, begin }));
    return { kind: 'accepted', reference: email.messageId };
  } catch (error) {
    logFault(context.log, host, error);
    return mailFailure(error, begun);
  }
}

/** A file that is not to be had never keeps the message back. */
async function readAttachments({ file }: Message, { readMedia }: ChannelContext): Promise<object> {
  const content = file === '' ? undefined : await readMedia(file).catch(() => undefined);
  return content === undefined ? {} : { attachments: [{ filename: file, ...content }] };
}

/** Nodemailer cannot be told to stop: whoever stops waiting does not learn what becomes of the mail. */
function before<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new ConnectionFault(faultReasons.late));
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

import { createSemaphore } from '../../common/semaphore.ts';
import { ConnectionFault, faultReasons, logFault, reasonOf } from '../network/connection-fault.ts';
import { type Channel, type ChannelContext, channelKind, type Health } from '../port/channel.ts';
import type { Message } from '../port/message.ts';
import type { ChannelOutcome } from '../port/outcome.ts';
import { composeEmail, isMailAddress, type Sender } from './email-message.ts';
import { mailFailure, mailReason } from './email-outcome.ts';
import { EmailSettings } from './email-settings.ts';
import { type MailboxSettings, mailboxSettings, openMailbox, readMailbox } from './mailbox.ts';
import { type Mailer, openMailer } from './mailer.ts';
import { readReply } from './read-reply.ts';
import { readMail } from './received-mail.ts';
import type { ReplyDomain } from './reply-address.ts';

export const emailKind = channelKind({
  title: 'E-mail',
  description: 'Sends each message through a mail server (SMTP), and reads replies from a mailbox (IMAP).',
  media: ['Email'],
  settings: EmailSettings,
  create: emailChannel,
});

function emailChannel(settings: EmailSettings, context: ChannelContext): Channel {
  const mailer = openMailer(settings, context.egress);
  const mailbox = mailboxSettings(settings);
  const replies = replyDomainOf(settings, context);
  const sender = { address: settings.from, name: settings.fromName ?? '', replies };
  // One permit for each connection, so that a message that waits here is known not to have reached the mail server.
  const connections = createSemaphore(settings.connections ?? 5);
  const hosts = { mailer, host: settings.host, mailbox };
  return {
    place: async (message, signal) => {
      if (!(await connections.acquire(signal)))
        return { kind: 'failed', permanent: false, blame: 'queue', reason: 'all connections were in use' };
      return sendEmail({ mailer, sender, context, host: settings.host }, message, signal).finally(() =>
        connections.release(),
      );
    },
    ...(mailbox && replies && { listen: (signal) => listen({ mailbox, replies, context }, signal) }),
    check: (signal) => check(hosts, context, signal),
    close: () => mailer.close(),
  };
}

/** Undefined if nobody would read a reply. */
function replyDomainOf({ replyDomain: domain }: EmailSettings, { signingKey: key }: ChannelContext) {
  return domain !== undefined && key !== undefined ? { domain, key } : undefined;
}

async function sendEmail(
  {
    mailer,
    sender,
    context,
    host,
  }: { mailer: Mailer; sender: Sender; context: ChannelContext; host: string },
  message: Message,
  signal: AbortSignal,
): Promise<ChannelOutcome> {
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
    await orAborted(signal, mailer.sendMail({ ...email, ...attachments, begin }));
    return { kind: 'accepted', reference: email.messageId };
  } catch (error) {
    logFault(context.log, host, error);
    return mailFailure(error, begun);
  }
}

/** A missing file never stops the message. */
async function readAttachments({ file }: Message, { readMedia }: ChannelContext): Promise<object> {
  const content = file === '' ? undefined : await readMedia(file).catch(() => undefined);
  return content === undefined ? {} : { attachments: [{ filename: file, ...content }] };
}

/** Reads replies and bounces until the signal is aborted. */
async function listen(
  { mailbox, replies, context }: { mailbox: MailboxSettings; replies: ReplyDomain; context: ChannelContext },
  signal: AbortSignal,
): Promise<void> {
  try {
    const client = await openMailbox(mailbox, context.egress, signal);
    const take = (source: Buffer) => handOn({ replies, context }, source);
    await readMailbox(client, take, signal).finally(() => client.close());
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

async function handOn(
  { replies, context: { inbox, log } }: { replies: ReplyDomain; context: ChannelContext },
  source: Buffer,
): Promise<void> {
  const mail = await readMail(source).catch(() => undefined);
  const read = mail && readReply(replies, mail);
  if (read?.kind === 'incoming') return inbox(read.incoming);
  log.info({ reason: read?.reason ?? 'not readable' }, 'mail ignored');
}

/** Both directions must work: a person whose reply is not read believes that the alarm is taken. */
async function check(
  { mailer, host, mailbox }: { mailer: Mailer; host: string; mailbox: MailboxSettings | undefined },
  context: ChannelContext,
  signal: AbortSignal,
): Promise<Health> {
  try {
    await orAborted(signal, mailer.verify());
  } catch (error) {
    logFault(context.log, host, error);
    return { works: false, reason: mailReason(error) };
  }
  if (mailbox === undefined) return { works: true };
  try {
    await orAborted(signal, checkMailbox(mailbox, context, signal));
    return { works: true };
  } catch (error) {
    logFault(context.log, mailbox.host, error);
    return { works: false, reason: `replies cannot be read: ${reasonOf(error)}` };
  }
}

async function checkMailbox(
  mailbox: MailboxSettings,
  { egress }: ChannelContext,
  signal: AbortSignal,
): Promise<void> {
  const client = await openMailbox(mailbox, egress, signal);
  try {
    await client.noop();
    await client.logout();
  } finally {
    client.close();
  }
}

/** Stops waiting on abort. The libraries cannot be aborted, so the outcome stays unknown. */
function orAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new ConnectionFault(faultReasons.late));
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

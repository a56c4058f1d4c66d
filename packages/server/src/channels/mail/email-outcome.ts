import { ConnectionFault, faultReasons, notConnectedReason } from '../network/connection-fault.ts';
import type { ChannelOutcome } from '../port/outcome.ts';

/** The members of nodemailer's errors. */
type MailFault = {
  code?: string;
  /** The reply code of the server; absent if there was no reply. */
  responseCode?: number;
  response?: string;
  command?: string;
};

/**
 * The outcome of a message after an error. With `begun` the server was connected, trusted and logged in to, so it may
 * have accepted the mail before the error.
 */
export function mailFailure(error: unknown, begun: boolean): ChannelOutcome {
  const { responseCode, command } = error as MailFault;
  if (begun && responseCode === undefined) return { kind: 'unknown', reason: unconfirmedReason(error) };
  const reason = mailReason(error);
  if (command === 'RCPT TO' && responseCode !== undefined)
    return { kind: 'failed', permanent: responseCode >= 500, blame: 'recipient', reason };
  return { kind: 'failed', permanent: false, blame: 'channel', reason };
}

function unconfirmedReason(error: unknown): string {
  return error instanceof ConnectionFault ? error.message : faultReasons.brokenOff;
}

/** The reason by the SMTP command that was refused; the last one matches any command. */
const refusals = [
  { command: /^STARTTLS/, reason: 'the mail server does not encrypt the connection' },
  { command: /^AUTH/, reason: 'the mail server refused the log-in' },
  { command: /^MAIL FROM/, reason: 'the mail server refused the sender' },
  { command: /^RCPT TO/, reason: 'the mail server refused the recipient' },
  { command: /^DATA/, reason: 'the mail server refused the mail' },
  { command: /^/, reason: 'the mail server refused the connection' },
];

/** The reason for the tenant: the refused step and the codes of RFC 5321 and 3463, but not the server's text. */
export function mailReason(error: unknown): string {
  if (error instanceof ConnectionFault) return error.message;
  const { code, command = '', response = '' } = error as MailFault;
  const codes = /^([245]\d\d)(?:[ -]([245]\.\d{1,3}\.\d{1,3})\b|[ -]|$)/.exec(response);
  if (!codes && code !== 'EAUTH') return notConnectedReason(error);
  const refusedCommand = code === 'EAUTH' ? 'AUTH' : command;
  const reason =
    refusals.find((refusal) => refusal.command.test(refusedCommand))?.reason ?? faultReasons.noServer;
  const numbers = (codes ?? []).slice(1).filter((number) => number !== undefined);
  return numbers.length === 0 ? reason : `${reason} (${numbers.join(' ')})`;
}

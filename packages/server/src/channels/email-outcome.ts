import type { Outcome } from './channel.ts';
import { ConnectionFault, faultReasons, notConnectedReason } from './connection-fault.ts';

/** What nodemailer puts into its errors. */
type MailFault = {
  code?: string;
  /** The three digits of the server's answer; absent when there was none. */
  responseCode?: number;
  response?: string;
  command?: string;
};

/**
 * What an error of the mail server, or of the way to it, says about the message. `begun`: the server was found,
 * trusted and logged in to, so it may have taken the mail before things went wrong.
 */
export function mailFailure(error: unknown, begun: boolean): Outcome {
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

/** By what it was told. Until there is a mail server, one silence is as good as another. */
const refusals: [command: RegExp, reason: string][] = [
  [/^STARTTLS/, 'the mail server does not encrypt the connection'],
  [/^AUTH/, 'the mail server refused the log-in'],
  [/^MAIL FROM/, 'the mail server refused the sender'],
  [/^RCPT TO/, 'the mail server refused the recipient'],
  [/^DATA/, 'the mail server refused the mail'],
  [/^/, 'the mail server refused the connection'],
];

/** What a tenant is told: what was refused and by which codes of RFC 5321 and 3463, but not in the server's words. */
export function mailReason(error: unknown): string {
  if (error instanceof ConnectionFault) return error.message;
  const { code, command = '', response = '' } = error as MailFault;
  const codes = /^([245]\d\d)(?:[ -]([245]\.\d{1,3}\.\d{1,3})\b|[ -]|$)/.exec(response);
  if (!codes && code !== 'EAUTH') return notConnectedReason(error);
  const told = code === 'EAUTH' ? 'AUTH' : command;
  const reason = refusals.find(([pattern]) => pattern.test(told))?.[1] ?? faultReasons.noServer;
  const numbers = (codes ?? []).slice(1).filter((number) => number !== undefined);
  return numbers.length === 0 ? reason : `${reason} (${numbers.join(' ')})`;
}

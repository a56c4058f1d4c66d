import type { Outcome } from './channel.ts';

/** What nodemailer puts into its errors. */
type MailFault = {
  /** The three digits of the server's answer; absent when there was none. */
  responseCode?: number;
  command?: string;
};

/**
 * What an error of the mail server, or of the way to it, says about the message. `begun`: the server was found,
 * trusted and logged in to, so it may have taken the mail before things went wrong.
 */
export function mailFailure(error: unknown, begun: boolean): Outcome {
  const reason = error instanceof Error ? error.message : String(error);
  const { responseCode, command } = error as MailFault;
  if (begun && responseCode === undefined) return { kind: 'unknown', reason };
  if (command === 'RCPT TO' && responseCode !== undefined)
    return { kind: 'failed', permanent: responseCode >= 500, blame: 'recipient', reason };
  return { kind: 'failed', permanent: false, blame: 'channel', reason };
}

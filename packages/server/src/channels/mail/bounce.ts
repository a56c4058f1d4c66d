import type { Failure } from '../port/outcome.ts';
import type { ReceivedMail } from './received-mail.ts';

/**
 * Reads a mail that came back to the sender of its envelope. Undefined if it does not say that the mail was not
 * delivered: programs for the absent answer to the same address. The type of the content tells nothing, because not
 * every mail server sends a report after RFC 3464.
 */
export function readBounce({ from, text }: Pick<ReceivedMail, 'from' | 'text'>): Failure | undefined {
  const [, action] = /^Action:\s*([a-z]+)/im.exec(text) ?? [];
  const status = /^Status:\s*([245])\.(\d{1,3})\.(\d{1,3})\b/im.exec(text);
  if (action !== undefined && !/^(?:failed|delayed)$/i.test(action)) return undefined;
  if (status) return failure(status[1] === '5', [smtpCode(text), status.slice(1, 4).join('.')]);
  if (action === undefined && !/^(?:mailer-daemon|postmaster)@/.test(from)) return undefined;
  const code = smtpCode(text);
  return failure(code.startsWith('5'), [code]);
}

/** The reply code of the mail server that refused the mail; empty if the text has none. */
function smtpCode(text: string): string {
  const [, given] = /^Diagnostic-Code:\s*smtp\s*;\s*([245]\d\d)\b/im.exec(text) ?? [];
  const [, quoted] = /(?:^|[\s:])([45]\d\d)[ -](?:[45]\.\d{1,3}\.\d{1,3}\b|[A-Za-z<])/m.exec(text) ?? [];
  return given ?? quoted ?? '';
}

function failure(permanent: boolean, codes: readonly string[]): Failure {
  const numbers = codes.filter((code) => code !== '').join(' ');
  const reason = `the mail came back${numbers === '' ? '' : ` (${numbers})`}`;
  return { kind: 'failed', permanent, blame: 'recipient', reason };
}

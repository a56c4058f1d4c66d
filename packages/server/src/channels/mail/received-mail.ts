import type { ParsedMail } from 'mailparser';

/** A mail as far as it matters here. Addresses are in small letters. */
export type ReceivedMail = {
  /** Empty unless there is exactly one sender. */
  readonly from: string;
  /** Every address that the mail was sent or delivered to. */
  readonly recipients: readonly string[];
  /** Sent by a program: out of office, a mailing list, a bounce. */
  readonly isAutomatic: boolean;
  readonly text: string;
};

/** The rest of a longer mail is not read. */
export const maxMailBytes = 262_144;

const parserOptions = {
  skipTextToHtml: true,
  skipImageLinks: true,
  skipTextLinks: true,
  maxHtmlLengthToParse: maxMailBytes,
};

/** Loads the parser at its first use, as `mailbox.ts` does with its library. */
export async function readMail(source: Buffer): Promise<ReceivedMail> {
  const { simpleParser } = await import('mailparser');
  const parsed = await simpleParser(source.subarray(0, maxMailBytes), parserOptions);
  const senders = addressesIn(parsed.from);
  return {
    from: senders.length === 1 ? (senders[0] ?? '') : '',
    recipients: [...addressesIn(parsed.to), ...addressesIn(parsed.cc), ...deliveredTo(parsed)],
    isAutomatic: isAutomatic(parsed),
    text: parsed.text ?? '',
  };
}

function addressesIn(header: ParsedMail['to']): string[] {
  const headers = header === undefined ? [] : 'value' in header ? [header] : header;
  const listed = headers.flatMap(({ value }) => value.flatMap((one) => one.group ?? [one]));
  return listed.flatMap(({ address = '' }) => (address === '' ? [] : [address.toLowerCase()]));
}

/** Mail servers note the address of the envelope in one of these. */
const envelopeHeaders = new Set(['delivered-to', 'x-original-to', 'envelope-to']);

function deliveredTo({ headerLines }: ParsedMail): string[] {
  return headerLines.flatMap(({ key, line }) => {
    const [address] = /[^\s<>:,;]+@[^\s<>:,;]+/.exec(line.slice(key.length + 1)) ?? [];
    return envelopeHeaders.has(key) && address !== undefined ? [address.toLowerCase()] : [];
  });
}

/** RFC 3834, and what programs used before it. */
function isAutomatic({ headerLines }: ParsedMail): boolean {
  return headerLines.some(({ key, line }) => {
    const value = line
      .slice(line.indexOf(':') + 1)
      .trim()
      .toLowerCase();
    if (key === 'auto-submitted') return !/^no\b/.test(value);
    if (key === 'precedence') return /^(?:bulk|junk|list|auto_reply)\b/.test(value);
    return ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'list-id'].includes(key);
  });
}

import { createHmac, timingSafeEqual } from 'node:crypto';

/** Where replies and bounces arrive: any address of the domain that begins with `ack+` or `bounce+`. */
export type ReplyDomain = { readonly domain: string; readonly key: Buffer };

/** An attempt that an address of ours names. */
export type NamedAttempt =
  | { readonly kind: 'answer'; readonly attemptId: string; readonly code: string }
  | { readonly kind: 'bounce'; readonly attemptId: string };

/** RFC 5321, 4.5.3.1.1. */
const maxLocalPart = 64;
const macLength = 13;

/**
 * The address to which the person called replies. It contains the answer code, and its signature holds for this
 * recipient only. Undefined if the name of the attempt does not fit into an address.
 */
export function answerAddress(
  { domain, key }: ReplyDomain,
  { attemptId, code, recipient }: { attemptId: string; code: string; recipient: string },
): string | undefined {
  const mac = macOf(key, answerClaim({ attemptId, code, sender: recipient }));
  return addressOf(`ack+${attemptId}-${code}-${mac}`, domain);
}

/** The envelope sender: mail servers return an undeliverable mail to it. */
export function bounceAddress({ domain, key }: ReplyDomain, attemptId: string): string | undefined {
  return addressOf(`bounce+${attemptId}-${macOf(key, `bounce ${attemptId}`)}`, domain);
}

function addressOf(localPart: string, domain: string): string | undefined {
  const fits = localPart.length <= maxLocalPart && /^[a-z]+\+[0-9a-z-]+$/.test(localPart);
  return fits ? `${localPart}@${domain}` : undefined;
}

/** Whether an address has the form of ours. Its signature may still be wrong. */
export function isReplyAddress({ domain }: Pick<ReplyDomain, 'domain'>, address: string): boolean {
  return /^(?:ack|bounce)\+/i.test(address) && domainOf(address) === domain.toLowerCase();
}

/**
 * The attempt that an address names; undefined if we did not make the address, or made it for another person than the
 * sender. Mail servers may change the case of letters, so none of them matters.
 */
export function readReplyAddress(
  { domain, key }: ReplyDomain,
  address: string,
  sender: string,
): NamedAttempt | undefined {
  if (!isReplyAddress({ domain }, address)) return undefined;
  const localPart = address.toLowerCase().slice(0, address.lastIndexOf('@'));
  const [, attemptId, code, mac = ''] = /^ack\+([0-9a-z-]+)-(\d{4,8})-([0-9a-z]{13})$/.exec(localPart) ?? [];
  if (attemptId !== undefined && code !== undefined)
    return isSame(macOf(key, answerClaim({ attemptId, code, sender })), mac)
      ? { kind: 'answer', attemptId, code }
      : undefined;
  const [, bounced, bounceMac = ''] = /^bounce\+([0-9a-z-]+)-([0-9a-z]{13})$/.exec(localPart) ?? [];
  if (bounced === undefined || !isSame(macOf(key, `bounce ${bounced}`), bounceMac)) return undefined;
  return { kind: 'bounce', attemptId: bounced };
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

function answerClaim({
  attemptId,
  code,
  sender,
}: {
  attemptId: string;
  code: string;
  sender: string;
}): string {
  return `answer ${attemptId} ${code} ${sender.toLowerCase()}`;
}

/** 67 bits in letters and digits: only we can check them, so they cannot be guessed without sending mails. */
function macOf(key: Buffer, claim: string): string {
  const bits = createHmac('sha256', key).update(claim).digest('hex');
  return (BigInt(`0x${bits}`) % 36n ** BigInt(macLength)).toString(36).padStart(macLength, '0');
}

function isSame(expected: string, given: string): boolean {
  return expected.length === given.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given));
}

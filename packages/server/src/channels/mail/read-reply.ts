import type { Incoming } from '../port/channel.ts';
import { readBounce } from './bounce.ts';
import type { ReceivedMail } from './received-mail.ts';
import { isReplyAddress, type ReplyDomain, readReplyAddress } from './reply-address.ts';
import { visibleText } from './visible-text.ts';

/** What a mail means to an attempt, or why it means nothing. The reason is for the log. */
export type ReadReply =
  | { readonly kind: 'incoming'; readonly incoming: Incoming }
  | { readonly kind: 'ignored'; readonly reason: 'not ours' | 'forged' | 'automatic' | 'not a bounce' };

/** Longer replies are cut: only their beginning can be an answer. */
const maxReplyLength = 1_600;

export function readReply(replies: ReplyDomain, mail: ReceivedMail): ReadReply {
  const ours = mail.recipients.filter((address) => isReplyAddress(replies, address));
  if (ours.length === 0) return { kind: 'ignored', reason: 'not ours' };
  const [named] = ours.flatMap((address) => readReplyAddress(replies, address, mail.from) ?? []);
  // An automatic reply may come from another address than the mail went to, so it is no forgery.
  if (named === undefined) return { kind: 'ignored', reason: mail.isAutomatic ? 'automatic' : 'forged' };
  if (named.kind === 'bounce') {
    const outcome = readBounce(mail);
    if (outcome === undefined) return { kind: 'ignored', reason: 'not a bounce' };
    return { kind: 'incoming', incoming: { kind: 'outcome', attemptId: named.attemptId, outcome } };
  }
  if (mail.isAutomatic) return { kind: 'ignored', reason: 'automatic' };
  const text = withCode(visibleText(mail.text).slice(0, maxReplyLength), named.code);
  return {
    kind: 'incoming',
    incoming: { kind: 'reply', attemptId: named.attemptId, from: mail.from, text },
  };
}

/** The words with which people take an alarm. Four digits or more are a code, which is checked as it was given. */
const takes = /^(?:ack|acknowledged?|ok|okay|oui|yes|ja|si|sí|sì|1)(?![\p{L}\p{N}])(?!\W*\d{4})/iu;
const confirms = /^(?:(?:ack|ok|okay|oui|yes|ja|si|sí|sì)\W*)?2\W*$/iu;

/**
 * The address that the person replied to is a secret of theirs and contains the code, so a reply that says `ok` counts
 * like one with the code. Any other text stays as it is.
 */
function withCode(text: string, code: string): string {
  if (confirms.test(text)) return `${code} 2`;
  return takes.test(text) ? code : text;
}

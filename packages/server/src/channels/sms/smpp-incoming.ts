import type { Inbox } from '../port/channel.ts';
import { createReplyJoiner } from './reply-joiner.ts';
import { isReceipt, type ReceiptIds, readReceipt } from './smpp-receipt.ts';
import type { TakeDelivery } from './smpp-session.ts';
import { smppStatus } from './smpp-status.ts';
import { cleanReply, partPlaceOf, receiptTextOf, senderOf, textOf } from './smpp-text.ts';

/** Parts of a reply arrive within seconds of each other. */
const joinMs = 30_000;

/** Passes receipts and replies of a centre to the inbox. A delivery is confirmed when it is stored. */
export function createDeliveries(
  inbox: Inbox,
  receiptIds: ReceiptIds,
): { readonly take: TakeDelivery; close(): void } {
  const joiner = createReplyJoiner(
    (from, text) => inbox({ kind: 'reply', attemptId: '', from, text: cleanReply(text) }),
    joinMs,
  );
  const take: TakeDelivery = async (pdu) => {
    if (isReceipt(pdu)) {
      const outcome = readReceipt(pdu, receiptTextOf(pdu), receiptIds);
      if (outcome) await inbox({ kind: 'outcome', attemptId: '', outcome });
      return smppStatus.ok;
    }
    const text = textOf(pdu);
    const from = senderOf(pdu);
    // Nothing in it can be an answer, and a repetition would change nothing.
    if (from === '' || text === '') return smppStatus.ok;
    const place = partPlaceOf(pdu) ?? { reference: 0, total: 1, number: 1 };
    await joiner.add({ from, text, ...place });
    return smppStatus.ok;
  };
  return { take, close: joiner.close };
}

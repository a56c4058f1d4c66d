import type { ChannelOutcome } from '../port/outcome.ts';
import type { Pdu } from './smpp-pdu.ts';

/** How the ids in the texts of receipts are written, compared with those in responses. */
export type ReceiptIds = 'same' | 'hex-then-decimal' | 'decimal-then-hex';

/** Final states of a message, by their number in a TLV and by their word in a text (SMPP 3.4, 5.2.28 and appendix B). */
const states = [
  { number: 2, word: 'DELIVRD', outcome: 'delivered', reason: '' },
  { number: 3, word: 'EXPIRED', outcome: 'recipient', reason: 'the telephone was not reached in time' },
  { number: 4, word: 'DELETED', outcome: 'channel', reason: 'the SMS centre deleted the message' },
  { number: 5, word: 'UNDELIV', outcome: 'recipient', reason: 'the message could not be delivered' },
  { number: 7, word: 'UNKNOWN', outcome: 'channel', reason: 'the SMS centre has lost the message' },
  { number: 8, word: 'REJECTD', outcome: 'channel', reason: 'the SMS centre rejected the message' },
] as const;

const messageTypeBits = 0x3c;
const receiptType = 0x04;

export function isReceipt({ fields }: Pdu): boolean {
  const { esm_class: esmClass, receipted_message_id: receipted } = fields;
  const type = typeof esmClass === 'number' ? esmClass & messageTypeBits : 0;
  return type === receiptType || (type === 0 && typeof receipted === 'string' && receipted !== '');
}

/** The final outcome that a receipt reports; undefined for one on the way, or without an id. */
export function readReceipt({ fields }: Pdu, text: string, ids: ReceiptIds): ChannelOutcome | undefined {
  const { receipted_message_id: receipted, message_state: number } = fields;
  const hasId = typeof receipted === 'string' && receipted !== '';
  const reference = hasId ? referenceOf(receipted, ids) : idInText(text, ids);
  const word = /\bstat:\s*([a-z]{3,16})/i.exec(text)?.[1]?.toUpperCase();
  const state = states.find((one) => (number === undefined ? one.word === word : one.number === number));
  if (reference === '' || !state) return undefined;
  if (state.outcome === 'delivered') return { kind: 'delivered', reference };
  const code = /\berr:\s*([0-9a-z]{1,8})/i.exec(text)?.[1] ?? '';
  return {
    kind: 'failed',
    permanent: false,
    blame: state.outcome,
    reason: code === '' ? state.reason : `${state.reason} (${code})`,
    reference,
  };
}

function idInText(text: string, ids: ReceiptIds): string {
  return asResponded(/\bid:\s*([!-~]{1,65})/i.exec(text)?.[1] ?? '', ids);
}

/** The id of a receipt in the notation of responses. */
function asResponded(written: string, ids: ReceiptIds): string {
  if (ids === 'hex-then-decimal' && /^[0-9]{1,40}$/.test(written))
    return canonicalId(BigInt(written).toString(16));
  if (ids === 'decimal-then-hex' && /^[0-9a-f]{1,40}$/i.test(written))
    return BigInt(`0x${written}`).toString();
  return ids === 'same' ? written : canonicalId(written);
}

/** Ids that are numbers are compared without leading zeros and in small letters. */
function canonicalId(id: string): string {
  return id.toLowerCase().replace(/^0+(?=.)/, '');
}

/** The reference under which a message is known, by the id in the response. */
export function referenceOf(messageId: string, ids: ReceiptIds): string {
  return ids === 'same' ? messageId : canonicalId(messageId);
}

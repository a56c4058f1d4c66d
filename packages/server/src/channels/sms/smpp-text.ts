import smpp from 'smpp';
import { cleanText } from '../port/plain-text.ts';
import type { Pdu } from './smpp-pdu.ts';

/** The place of a PDU in a text of several parts. */
export type PartPlace = { readonly reference: number; readonly total: number; readonly number: number };

const maxTextLength = 2_000;

type Content = { readonly udh?: unknown; readonly message?: unknown };

/** The text of a PDU, whether it is in its body or in a TLV. It is empty if the PDU carries no text. */
export function textOf({ fields }: Pdu): string {
  const { short_message: body, message_payload: payload } = fields;
  const text = messageOf(body);
  return text === '' ? messageOf(payload) : text;
}

/**
 * The text of a receipt. Centres write it in ASCII and declare the default alphabet, in which the codec reads `_` as `§`: so it
 * is turned into its bytes again.
 */
export function receiptTextOf(pdu: Pdu): string {
  const text = textOf(pdu);
  const isDefault = pdu.fields['data_coding'] === 0 || pdu.fields['data_coding'] === 1;
  return isDefault ? smpp.encodings.ASCII.encode(text).toString('latin1') : text;
}

function messageOf(content: unknown): string {
  const { message } = (content ?? {}) as Content;
  if (typeof message === 'string') return message;
  // Binary, or an alphabet that the codec does not know: digits are the same in all of them.
  return Buffer.isBuffer(message) ? message.toString('latin1') : '';
}

/** A text of a person, without control characters and not longer than any that is read. */
export function cleanReply(text: string): string {
  return cleanText(text).trim().slice(0, maxTextLength);
}

/** The sender's number, with a plus sign if the centre says that it is international. */
export function senderOf({ fields }: Pdu): string {
  const { source_addr: address, source_addr_ton: ton } = fields;
  if (typeof address !== 'string') return '';
  return ton === 1 && /^[0-9]/.test(address) ? `+${address}` : address;
}

/** The place of a part, from its header or from its TLVs; undefined for a text of one part. */
export function partPlaceOf({ fields }: Pdu): PartPlace | undefined {
  const { short_message: body, message_payload: payload } = fields;
  const place = fromHeader(body) ?? fromHeader(payload) ?? fromTlvs(fields);
  if (!place || place.total < 2 || place.number < 1 || place.number > place.total) return undefined;
  return place;
}

function fromHeader(content: unknown): PartPlace | undefined {
  const { udh } = (content ?? {}) as Content;
  if (!Array.isArray(udh)) return undefined;
  for (const element of udh as unknown[]) {
    if (!Buffer.isBuffer(element)) continue;
    if (element[0] === 0 && element.length === 5)
      return { reference: element.readUInt8(2), total: element.readUInt8(3), number: element.readUInt8(4) };
    if (element[0] === 8 && element.length === 6)
      return {
        reference: element.readUInt16BE(2),
        total: element.readUInt8(4),
        number: element.readUInt8(5),
      };
  }
  return undefined;
}

function fromTlvs(fields: Pdu['fields']): PartPlace | undefined {
  const { sar_msg_ref_num: reference, sar_total_segments: total, sar_segment_seqnum: number } = fields;
  if (typeof reference !== 'number' || typeof total !== 'number' || typeof number !== 'number')
    return undefined;
  return { reference, total, number };
}

import { expect, test } from 'vitest';
import type { Pdu } from './smpp-pdu.ts';
import { isReceipt, type ReceiptIds, readReceipt, referenceOf } from './smpp-receipt.ts';

const pdu = (fields: object): Pdu => ({
  command: 'deliver_sm',
  isResponse: false,
  status: 0,
  sequence: 1,
  fields: { ...fields },
});
const text = (id: string, stat: string) =>
  `id:${id} sub:001 dlvrd:001 submit date:2611160000 done date:2611160001 stat:${stat} err:000 text:Pump`;

test('a receipt is told from a reply by its class, or by the id of a message in it', () => {
  expect(isReceipt(pdu({ esm_class: 0x04 }))).toBe(true);
  expect(isReceipt(pdu({ esm_class: 0, receipted_message_id: 'a1' }))).toBe(true);
  expect(isReceipt(pdu({ esm_class: 0x44 }))).toBe(true);
  expect(isReceipt(pdu({ esm_class: 0x40 }))).toBe(false);
  expect(isReceipt(pdu({ esm_class: 0x20, receipted_message_id: 'a1' }))).toBe(false);
});

test('a person cannot write a receipt: the words of one in a reply are only a text', () => {
  expect(isReceipt(pdu({ esm_class: 0, short_message: { message: text('a1', 'DELIVRD') } }))).toBe(false);
});

test.for<[ids: ReceiptIds, responded: string, written: string]>([
  ['same', 'A1-b2', 'A1-b2'],
  ['hex-then-decimal', '0000001A', '26'],
  ['hex-then-decimal', '1a', '0000000026'],
  ['decimal-then-hex', '26', '0000001A'],
  ['decimal-then-hex', '0026', '1a'],
])('%s: the receipt of message %s names it %s', ([ids, responded, written]) => {
  expect(readReceipt(pdu({}), text(written, 'DELIVRD'), ids)).toEqual({
    kind: 'delivered',
    reference: referenceOf(responded, ids),
  });
});

test('the TLVs of a receipt count more than its text', () => {
  const fields = { receipted_message_id: 'tlv-id', message_state: 5 };
  expect(readReceipt(pdu(fields), text('text-id', 'DELIVRD'), 'same')).toMatchObject({
    kind: 'failed',
    reference: 'tlv-id',
  });
});

test.for([
  ['EXPIRED', 'recipient'],
  ['UNDELIV', 'recipient'],
  ['DELETED', 'channel'],
  ['REJECTD', 'channel'],
  ['UNKNOWN', 'channel'],
] as const)('%s is a failure, blamed on the %s', ([stat, blame]) => {
  expect(readReceipt(pdu({}), text('a1', stat), 'same')).toMatchObject({
    kind: 'failed',
    blame,
    permanent: false,
  });
});

test.for(['ENROUTE', 'ACCEPTD', 'ODD'])('%s is not an end', (stat) => {
  expect(readReceipt(pdu({}), text('a1', stat), 'same')).toBeUndefined();
});

test('a receipt without an id says nothing', () => {
  expect(readReceipt(pdu({}), 'stat:DELIVRD', 'same')).toBeUndefined();
});

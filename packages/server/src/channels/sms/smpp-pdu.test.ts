import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeText } from '../../../../../acceptance/harness/sms/alphabet.ts';
import { deliveryBody, tlv, writeFrame } from '../../../../../acceptance/harness/sms/pdu.ts';
import type { Incoming } from '../port/channel.ts';
import { createDeliveries } from './smpp-incoming.ts';
import { createPduFramer, FramingFault, readPdu, writePdu } from './smpp-pdu.ts';

const from = '+33600000001';
const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));

test('PDUs are found whatever the pieces in which they arrive', () => {
  const frames = [
    writePdu({ command: 'enquire_link', sequence: 1 }),
    writePdu({ command: 'unbind', sequence: 2 }),
  ];
  const whole = Buffer.concat(frames);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 32, maxLength: 32 }), (sizes) => {
      const framesOf = createPduFramer();
      let at = 0;
      const found = sizes.flatMap((size) => {
        at += size;
        return framesOf(whole.subarray(at - size, at));
      });
      expect(Buffer.concat(found)).toEqual(whole);
    }),
  );
});

test.for([0, 15, 16_385, 0x7fff_ffff, 0xffff_ffff])(
  'a PDU of %i bytes is refused before it is collected',
  (length) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(length, 0);
    expect(() => createPduFramer()(head)).toThrow(FramingFault);
  },
);

test('no bytes of a peer make the reader throw anything but its own fault', () => {
  fc.assert(
    fc.property(fc.array(bytes(200), { maxLength: 20 }), (chunks) => {
      const framesOf = createPduFramer();
      try {
        for (const chunk of chunks) for (const frame of framesOf(chunk)) readPdu(frame);
      } catch (error) {
        expect(error).toBeInstanceOf(FramingFault);
      }
    }),
    { numRuns: 500 },
  );
});

/** Real commands with hostile bodies, which are more dangerous than noise. */
const command = fc.constantFrom(0x04, 0x05, 0x09, 0x15, 0x21, 0x103, 0x8000_0004, 0x8000_0009, 0x8000_0021);
const hostileTlv = fc
  .tuple(fc.constantFrom(0x001e, 0x0427, 0x0424, 0x020c, 0x020e, 0x0381, 0x060b, 0x1400), bytes(40))
  .map(([tag, value]) => tlv(tag, value));
const hostileDelivery = fc
  .record({
    esmClass: fc.integer({ min: 0, max: 255 }),
    dataCoding: fc.integer({ min: 0, max: 255 }),
    content: bytes(160),
    tlvs: fc.array(hostileTlv, { maxLength: 4 }),
  })
  .map((delivery) => deliveryBody({ from, to: '+33700000001', ...delivery }));

test('hostile bodies of real commands are read or refused, and deliveries become bounded replies', async () => {
  const incoming: Incoming[] = [];
  const { take, close } = createDeliveries(async (one) => void incoming.push(one), 'hex-then-decimal');
  await fc.assert(
    fc.asyncProperty(command, fc.oneof(bytes(300), hostileDelivery), async (id, body) => {
      const pdu = readPdu(writeFrame(id, 1, { body }));
      if (pdu) await take(pdu);
    }),
    { numRuns: 1_000 },
  );
  close();
  expect(incoming.length).toBeGreaterThan(0);
  for (const one of incoming) if (one.kind === 'reply') expect(one.text.length).toBeLessThanOrEqual(2_000);
});

test('a delivery that is cut off at any byte is read or refused', () => {
  const tlvs = [tlv(0x001e, Buffer.from('abc\0')), tlv(0x0427, Buffer.from([2]))];
  const body = deliveryBody({ from, to: '+1', content: encodeText('482913'), tlvs });
  for (let length = 0; length < body.length; length += 1)
    expect(() => readPdu(writeFrame(0x05, 1, { body: body.subarray(0, length) }))).not.toThrow();
});

test('a text in message_payload is written, although the package assigns an undeclared variable for it', () => {
  const payload = Buffer.from('Overflow');
  const frame = writePdu({
    command: 'submit_sm',
    sequence: 9,
    fields: { data_coding: 0, message_payload: payload },
  });
  expect(frame.includes(tlv(0x0424, payload))).toBe(true);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { encodeText } from '../../../../../acceptance/harness/sms/alphabet.ts';
import { deliveryBody, writeFrame } from '../../../../../acceptance/harness/sms/pdu.ts';
import { messageTo, soon } from '../testing/messages.fixture.ts';
import { anna, short, test } from './testing/smpp-channel.fixture.ts';

test('a malformed PDU is refused, and the session goes on', async ({ centre, open }) => {
  const { channel, incoming } = open();
  expect(await channel.check(soon())).toEqual({ works: true });
  const content = encodeText('482913');
  const endless = Buffer.from([0x04, 0x27, 0xff, 0xff]);
  centre.send(
    writeFrame(0x05, 77, { body: deliveryBody({ from: anna, to: '+1', content, tlvs: [endless] }) }),
  );
  centre.send(writeFrame(0x0c_0f_fe, 78, { body: Buffer.from('?') }));
  centre.send(writeFrame(0x05, 79, { body: Buffer.from([0, 1]) }));
  await expect.poll(centre.refusals).toEqual([
    { sequence: 77, status: 0x02 },
    { sequence: 78, status: 0x03 },
  ]);
  expect(await channel.place(messageTo(anna, short), soon())).toMatchObject({ kind: 'accepted' });
  expect(await centre.reply(anna, '482913')).toBe(0);
  expect(incoming).toEqual([{ kind: 'reply', attemptId: '', from: anna, text: '482913' }]);
  expect(centre.binds()).toBe(1);
});

test('a response that cannot be read leaves the outcome unknown at once', async ({ centre, open }) => {
  centre.behave({ kind: 'malformed-response' });
  const { channel } = open();
  const outcome = await channel.place(messageTo(anna, short), soon());
  expect(outcome).toEqual({ kind: 'unknown', reason: expect.stringContaining('not readable') });
});

test('a peer that does not speak SMPP is cut off, and the next message connects again', async ({
  centre,
  open,
}) => {
  const { channel } = open();
  await channel.check(soon());
  centre.send(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await expect.poll(centre.bound).toBe(0);
  expect(await channel.place(messageTo(anna, short), soon())).toMatchObject({ kind: 'accepted' });
});

test('an idle link is asked whether it lives', async ({ centre, open }) => {
  await open().channel.check(soon());
  await expect.poll(centre.enquiries).toBeGreaterThan(2);
  expect(centre.bound()).toBe(1);
});

test('receipts report the outcome by the id of the message', async ({ centre, open }) => {
  const { channel, incoming } = open();
  const sent = await channel.place(messageTo(anna, short), soon());
  const reference = 'reference' in sent ? (sent.reference ?? '') : '';
  expect(await centre.receipt(reference, 'DELIVRD')).toBe(0);
  expect(await centre.receipt(reference, 'UNDELIV', 'text')).toBe(0);
  expect(incoming).toEqual([
    { kind: 'outcome', attemptId: '', outcome: { kind: 'delivered', reference } },
    {
      kind: 'outcome',
      attemptId: '',
      outcome: {
        kind: 'failed',
        permanent: false,
        blame: 'recipient',
        reason: 'the message could not be delivered (027)',
        reference,
      },
    },
  ]);
});

test('an id with an underscore is read as it was written', async ({ centre, open }) => {
  const { channel, incoming } = open();
  await channel.check(soon());
  expect(await centre.receipt('a_1@x', 'DELIVRD', 'text')).toBe(0);
  expect(incoming).toMatchObject([{ outcome: { kind: 'delivered', reference: 'a_1@x' } }]);
});

test('a long reply is joined, also where its parts tear an emoji apart', async ({ centre, open }) => {
  const { channel, incoming } = open();
  await channel.check(soon());
  const text = '482913 on my way 🔥 now';
  const bytes = Buffer.from(text, 'utf16le').swap16();
  const middle = text.indexOf('🔥') * 2 + 2;
  const part = (number: number, body: Buffer) =>
    centre.deliver({
      from: anna,
      to: '+33700000001',
      esmClass: 0x40,
      dataCoding: 8,
      content: Buffer.concat([Buffer.from([5, 0, 3, 9, 2, number]), body]),
    });
  expect(await part(2, bytes.subarray(middle))).toBe(0);
  expect(incoming).toEqual([]);
  expect(await part(1, bytes.subarray(0, middle))).toBe(0);
  expect(incoming).toEqual([{ kind: 'reply', attemptId: '', from: anna, text }]);
});

test('a reply is confirmed only when it is stored, and refused for now when it is not', async ({
  centre,
  open,
}) => {
  let isStored = false;
  const inbox = async () => {
    await sleep(100);
    isStored = true;
  };
  await open({ context: { inbox } }).channel.check(soon());
  expect(await centre.reply(anna, '482913')).toBe(0);
  expect(isStored).toBe(true);
  centre.cut();
  await expect.poll(centre.bound).toBe(0);
  await open({ context: { inbox: () => Promise.reject(new Error('no database')) } }).channel.check(soon());
  expect(await centre.reply(anna, '482913')).toBe(0x64);
});

test('a listening channel hears replies while nothing is sent, and says when the link is cut', async ({
  centre,
  open,
}) => {
  const { channel, incoming } = open();
  const until = new AbortController();
  const listening = channel.listen?.(until.signal);
  await expect.poll(centre.bound).toBe(1);
  expect(await centre.reply(anna, '482913')).toBe(0);
  expect(incoming).toHaveLength(1);
  centre.cut();
  await expect(listening).rejects.toThrow('ended');
  const again = channel.listen?.(until.signal);
  await expect.poll(centre.bound).toBe(1);
  until.abort();
  await again;
});

test('a listening channel waits longer after each failure', async ({ centre, open }) => {
  const { channel } = open({ settings: { password: 'guess' } });
  const { signal } = new AbortController();
  const started = performance.now();
  for (let tries = 0; tries < 3; tries += 1) await expect(channel.listen?.(signal)).rejects.toThrow('log-in');
  expect(performance.now() - started).toBeGreaterThanOrEqual(590);
  expect(centre.binds()).toBe(3);
});

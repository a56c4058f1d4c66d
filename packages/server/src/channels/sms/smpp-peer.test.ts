import { expect, test } from 'vitest';
import { startPerlCentre } from '../../../../../acceptance/harness/sms/perl-centre.ts';
import type { Incoming } from '../port/channel.ts';
import { contextFor, messageTo, soon } from '../testing/messages.fixture.ts';
import { smppKind } from './smpp.channel.ts';

const anna = '+33600000001';
const account = { host: '127.0.0.1', systemId: 'tocsin', password: 'sesame', source: '+33700000001' };

test("Perl's Net::SMPP takes texts, and its receipts and replies are understood", async ({
  onTestFinished,
}) => {
  const centre = await startPerlCentre();
  onTestFinished(centre.stop);
  centre.behave({ kind: 'accept', receipt: 'DELIVRD' });
  const incoming: Incoming[] = [];
  const inbox = async (one: Incoming) => void incoming.push(one);
  const settings = { ...account, port: centre.port };
  const channel = smppKind.create(settings, { ...contextFor('Sms'), inbox });
  expect(await channel.check(soon())).toEqual({ works: true });
  const send = (text: string) => channel.place(messageTo(anna, { text, answer: undefined }), soon());
  expect(await send('Alarm 5 €')).toEqual({ kind: 'accepted', reference: 'perl-1' });
  expect(await send('Жар')).toEqual({ kind: 'accepted', reference: 'perl-2' });
  expect(await send('a'.repeat(161))).toEqual({ kind: 'accepted', reference: 'perl-4' });
  expect(await centre.reply(anna, '482913 2')).toBe(0);
  const confirmed = () => centre.lines.filter((line) => /^confirmed \d+ 0$/.test(line));
  await expect.poll(confirmed).toHaveLength(4);
  const submitted = centre.lines.filter((line) => line.startsWith('submitted'));
  expect(submitted.slice(0, 2)).toEqual([
    'submitted 33600000001 0 0 416c61726d2035201b65',
    'submitted 33600000001 8 0 041604300440',
  ]);
  expect(submitted[2]).toMatch(/^submitted 33600000001 0 64 050003..0201(61){153}$/);
  expect(submitted[3]).toMatch(/^submitted 33600000001 0 64 050003..0202(61){8}$/);
  expect(incoming.filter(({ kind }) => kind === 'outcome')).toEqual(
    ['perl-1', 'perl-2', 'perl-4'].map((reference) => ({
      kind: 'outcome',
      attemptId: '',
      outcome: { kind: 'delivered', reference },
    })),
  );
  expect(incoming).toContainEqual({ kind: 'reply', attemptId: '', from: anna, text: '482913 2' });
  await channel.close?.();
  await expect.poll(() => centre.lines).toContain('unbound');
});

test("Perl's Net::SMPP refuses a wrong password, and the channel says so", async ({ onTestFinished }) => {
  const centre = await startPerlCentre();
  onTestFinished(centre.stop);
  const channel = smppKind.create({ ...account, password: 'guess', port: centre.port }, contextFor('Sms'));
  expect(await channel.check(soon())).toEqual({
    works: false,
    reason: 'the SMS centre refused the log-in (0x0e)',
  });
});

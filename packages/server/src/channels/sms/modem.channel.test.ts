import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Check } from 'typebox/value';
import { test as base, expect } from 'vitest';
import { modemFolders, startGammuModem } from '../../../../../acceptance/harness/sms/gammu-modem.ts';
import type { Channel, Incoming } from '../port/channel.ts';
import { contextFor, messageTo, soon } from '../testing/messages.fixture.ts';
import { modemKind } from './modem.channel.ts';

const anna = '+33600000001';

function open(directory: string, incoming: Incoming[] = []): Channel {
  const context = {
    ...contextFor('Sms', { now: () => new Date() }),
    inbox: async (one: Incoming) => void incoming.push(one),
    modemDirectory: dirname(directory),
  };
  return modemKind.create({ modem: basename(directory) }, context);
}

/** Lets the channel listen until the end of the test. */
function listen(channel: Channel, onTestFinished: (end: () => Promise<void>) => void): void {
  const until = new AbortController();
  const listening = channel.listen?.(until.signal);
  onTestFinished(async () => {
    until.abort();
    await listening;
  });
}

const onModem = base
  .extend('running', { scope: 'file' }, () => startGammuModem())
  .extend('modem', { scope: 'file' }, ({ running }, { onCleanup }) => {
    onCleanup(running.stop);
    return running;
  });

onModem('a guard gets a long text with emoji by the modem, as gammu-smsd confirms', async ({ modem }) => {
  const text = `Überlauf 🔥 ${'Becken 3 läuft über. '.repeat(8)}5 €`;
  const channel = open(modem.directory);
  expect(await channel.check(soon())).toEqual({ works: true });
  const message = messageTo(anna, { text, answer: undefined });
  const placed = await channel.place(message, soon());
  expect(placed).toEqual({
    kind: 'accepted',
    reference: expect.stringMatching(/^OUTA\d{8}_\d{6}_00_\+336.*\.txt$/),
  });
  expect(await modem.textsFor(anna)).toEqual([text]);
  expect(await channel.query?.({ attemptId: message.attemptId, reference: '' }, soon())).toEqual(placed);
  // Coding 1 is Unicode.
  expect(await modem.log()).toMatch(/Found [3-5] sms to "\+33600000001" with text "Überlauf 🔥.* cod 1 /);
});

onModem(
  'replies are taken in once, long ones joined, and their files moved',
  async ({ modem, onTestFinished }) => {
    const incoming: Incoming[] = [];
    listen(open(modem.directory, incoming), onTestFinished);
    const long = `482913 ${'I am on my way to the basin. '.repeat(10)}end`;
    await modem.receive('+33600000002', '482913 für 5 €');
    await modem.receive('+33600000003', long);
    await expect.poll(() => incoming.length, { timeout: 20_000 }).toBe(2);
    expect(incoming).toContainEqual({
      kind: 'reply',
      attemptId: '',
      from: '+33600000002',
      text: '482913 für 5 €',
    });
    expect(incoming).toContainEqual({ kind: 'reply', attemptId: '', from: '+33600000003', text: long });
    await expect.poll(() => readdir(join(modem.directory, 'inbox'))).toEqual([]);
    expect((await readdir(join(modem.directory, 'done'))).length).toBeGreaterThan(2);
  },
);

/** The folders of a modem whose gammu-smsd does not run. The test moves files as gammu-smsd would. */
const test = base
  .extend('root', () => mkdtemp(join(tmpdir(), 'tocsin-modem-test-')))
  .extend('directory', async ({ root }, { onCleanup }) => {
    onCleanup(() => rm(root, { recursive: true }));
    for (const folder of modemFolders) await mkdir(join(root, 'gsm1', folder), { recursive: true });
    return join(root, 'gsm1');
  });

test('a message that the modem could not send is reported once', async ({ directory, onTestFinished }) => {
  const incoming: Incoming[] = [];
  const channel = open(directory, incoming);
  const message = messageTo(anna);
  const placed = await channel.place(message, soon());
  const reference = placed.kind === 'accepted' ? placed.reference : '';
  await rename(join(directory, 'outbox', reference), join(directory, 'error', reference));
  const failed = {
    kind: 'failed',
    permanent: false,
    blame: 'channel',
    reason: expect.any(String),
    reference,
  };
  expect(await channel.query?.({ attemptId: message.attemptId, reference }, soon())).toEqual(failed);
  listen(channel, onTestFinished);
  await expect.poll(() => incoming).toEqual([{ kind: 'outcome', attemptId: '', outcome: failed }]);
  await expect.poll(() => readdir(join(directory, 'error'))).toEqual([]);
});

test('a message that stays in the outbox is withdrawn and reported, and the modem counts as broken', async ({
  directory,
  onTestFinished,
}) => {
  const incoming: Incoming[] = [];
  const channel = open(directory, incoming);
  const placed = await channel.place(messageTo(anna), soon());
  const reference = placed.kind === 'accepted' ? placed.reference : '';
  const before = new Date(Date.now() - 120_000);
  await utimes(join(directory, 'outbox', reference), before, before);
  const reason = 'gammu-smsd takes no messages: look at its log and at the modem';
  expect(await channel.check(soon())).toEqual({ works: false, reason });
  expect(await channel.place(messageTo(anna), soon())).toMatchObject({
    kind: 'failed',
    blame: 'channel',
    reason,
  });
  listen(channel, onTestFinished);
  await expect
    .poll(() => incoming)
    .toMatchObject([{ kind: 'outcome', outcome: { kind: 'failed', reference } }]);
  expect(await readdir(join(directory, 'outbox'))).toEqual([]);
});

test('a message that was not written to its end does not block the modem', async ({ directory }) => {
  const channel = open(directory);
  const left = join(directory, 'outbox', '.OUTA20260301_060000_00_+336_0123456789abcdef.txt');
  await writeFile(left, 'Pump');
  const before = new Date(Date.now() - 120_000);
  await utimes(left, before, before);
  expect(await channel.check(soon())).toEqual({ works: true });
  expect(await channel.place(messageTo(anna), soon())).toMatchObject({ kind: 'accepted' });
});

test('a full outbox is no failure: the message waits for the modem', async ({ directory }) => {
  const channel = open(directory);
  for (let sent = 0; sent < 10; sent += 1)
    expect(await channel.place(messageTo(anna), soon())).toMatchObject({ kind: 'accepted' });
  expect(await channel.place(messageTo(anna), soon())).toEqual({
    kind: 'notNow',
    reason: 'the modem is busy',
    retryAfterSeconds: 5,
  });
});

test('a reply that is still being written is not taken in half', async ({ directory, onTestFinished }) => {
  const incoming: Incoming[] = [];
  const file = join(directory, 'inbox', 'IN20261116_223620_00_+33600000001_00.txt');
  await writeFile(file, '48');
  let isWriting = true;
  const growing = (async () => {
    for (let length = 2; length <= 6; length += 1) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      await writeFile(file, '482913'.slice(0, length));
    }
    isWriting = false;
  })();
  listen(open(directory, incoming), onTestFinished);
  await growing;
  expect(isWriting).toBe(false);
  await expect.poll(() => incoming).toMatchObject([{ text: '482913' }]);
});

test('files that are no texts are left alone', async ({ directory, onTestFinished }) => {
  const incoming: Incoming[] = [];
  for (const name of ['note.txt', 'IN20261116_223620_00_+331_00.bin', 'IN_+331.txt'])
    await writeFile(join(directory, 'inbox', name), '482913');
  await writeFile(join(directory, 'inbox', 'IN20261116_223620_00_Vodafone_00.txt'), 'Welcome');
  listen(open(directory, incoming), onTestFinished);
  await expect.poll(() => incoming).toMatchObject([{ from: 'Vodafone', text: 'Welcome' }]);
  await expect.poll(() => readdir(join(directory, 'inbox'))).toHaveLength(3);
});

test('texts of alarms do not stay on the disk for ever', async ({ directory, onTestFinished }) => {
  const channel = open(directory);
  const placed = await channel.place(messageTo(anna), soon());
  const reference = placed.kind === 'accepted' ? placed.reference : '';
  const sent = join(directory, 'sent', reference);
  await rename(join(directory, 'outbox', reference), sent);
  const before = new Date(Date.now() - 25 * 3_600_000);
  await utimes(sent, before, before);
  listen(channel, onTestFinished);
  await expect.poll(() => stat(sent).catch(() => 'gone')).toBe('gone');
});

test('a modem that is not there, or whose gammu-smsd has ended, is a fault of the channel', async ({
  directory,
}) => {
  const missing = { works: false, reason: expect.stringContaining('SMS_MODEM_DIRECTORY') };
  expect(await open(`${directory}-2`).check(soon())).toEqual(missing);
  const none = modemKind.create({ modem: 'gsm1' }, contextFor('Sms'));
  expect(await none.check(soon())).toEqual(missing);
  expect(await none.place(messageTo(anna), soon())).toMatchObject({ kind: 'failed', blame: 'channel' });
  // No process has this number.
  await writeFile(join(directory, 'smsd.pid'), '4194304\n');
  expect(await open(directory).check(soon())).toEqual({ works: false, reason: 'gammu-smsd does not run' });
  expect(await open(directory).place(messageTo('anna'), soon())).toMatchObject({
    permanent: true,
    blame: 'recipient',
  });
});

test.for(['..', '../2/gsm1', '/etc', 'gsm1/outbox', '', '.gsm', 'GSM'])(
  '%j is no name of a modem',
  (modem) => {
    expect(Check(modemKind.settings, { modem })).toBe(false);
  },
);

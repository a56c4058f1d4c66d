import type { HubConnection, HubMessage } from '@tocsin/signalr';
import { createFanOut } from '@tocsin/signalr/testing';
import { expect, test } from 'vitest';
import { Audience } from './audience.ts';
import type { FeedEntry } from './feed-entry.ts';
import type { HubUser } from './hub-user.ts';
import { Subscriber } from './subscriber.ts';
import { createView, type View } from './view.ts';

const megabyte = 1_048_576;

function entryOf(seq: number, message = ''): FeedEntry {
  const alarmJson = JSON.stringify({ id: seq, path: `pump/${seq}`, message });
  return { seq, at: 0, kind: 'raised', stationId: 1, announce: true, alarmJson };
}

/** A client as far as the audience knows one. What it is sent waits until it reads. */
function openClient() {
  const sent: HubMessage[] = [];
  const closed: object[] = [];
  let pendingBytes = 0;
  let isReading = true;
  const connection: HubConnection<HubUser> = {
    id: '1',
    identity: { user: {} as HubUser, key: 'ada' },
    family: 'core',
    transport: 'webSockets',
    get isOpen() {
      return closed.length === 0;
    },
    get pendingBytes() {
      return pendingBytes;
    },
    send: (message) => {
      sent.push(message);
      if (!isReading) pendingBytes += sizeOf(message);
    },
    close: (reason) => void closed.push(reason),
    keepState: () => undefined,
  };
  const read = (reads: boolean) => {
    isReading = reads;
    if (reads) pendingBytes = 0;
  };
  const seqs = () => sent.flatMap(({ calls }) => calls.map(({ argumentsJson }) => idIn(argumentsJson)));
  return { connection, sent, closed, read, seqs, pending: () => pendingBytes };
}

const sizeOf = ({ calls }: HubMessage) =>
  calls.reduce((sum, { argumentsJson }) => sum + argumentsJson.length, 0);
const idIn = (argumentsJson: string) => (JSON.parse(argumentsJson) as [{ id: number }])[0].id;
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const everything = createView({ stationIds: undefined, filter: {} });

/** An audience of one client that is live at the beginning of a journal. */
async function openAudience(view: View = everything) {
  const journal: FeedEntry[] = [];
  const errors: unknown[] = [];
  const audience = new Audience({
    fanOut: createFanOut(),
    lookUp: async () => undefined,
    after: async (seq) => journal.filter((entry) => entry.seq > seq).slice(0, 256),
    onPushed: () => undefined,
    onRoom: () => undefined,
    onError: (error) => errors.push(error),
  });
  audience.begin(0);
  const client = openClient();
  const subscriber = new Subscriber(client.connection, view, 0);
  audience.add(subscriber);
  await audience.catchUp(subscriber);
  const raise = (...entries: FeedEntry[]) => {
    journal.push(...entries);
    audience.push(entries);
  };
  return { ...client, audience, subscriber, raise, errors };
}

test('long alarms go out in messages that no client who reads is cut for', async () => {
  const { raise, sent, seqs } = await openAudience();
  raise(...upTo(64).map((seq) => entryOf(seq, 'x'.repeat(60_000))));
  await expect.poll(seqs).toEqual(upTo(64));
  for (const message of sent) expect(sizeOf(message)).toBeLessThan(megabyte / 2);
});

test('long alarms are replayed in such messages, too', async () => {
  const { raise, sent, seqs, audience, subscriber } = await openAudience();
  audience.pause(subscriber);
  raise(...upTo(64).map((seq) => entryOf(seq, 'x'.repeat(60_000))));
  await expect.poll(() => audience.hasRoom).toBe(true);
  await audience.catchUp(subscriber);
  expect(seqs()).toEqual(upTo(64));
  for (const message of sent) expect(sizeOf(message)).toBeLessThan(megabyte / 2);
});

test('a client that takes a moment to read is given the rest when it has read, in order and once', async () => {
  const { raise, read, seqs, pending, closed } = await openAudience();
  read(false);
  raise(...upTo(100).map((seq) => entryOf(seq, 'x'.repeat(60_000))));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(pending()).toBeGreaterThan(0);
  expect(pending()).toBeLessThan(megabyte / 2);
  read(true);
  await expect.poll(seqs).toEqual(upTo(100));
  raise(entryOf(101));
  await expect.poll(seqs).toEqual(upTo(101));
  expect(closed).toEqual([]);
});

test('when a message cannot be made once, the client is given the alarms a moment later', async () => {
  let failures = 1;
  const shows: View['shows'] = () => {
    failures -= 1;
    if (failures === 0) throw new Error('a fault of the server');
    return true;
  };
  const { raise, seqs, errors } = await openAudience({ ...everything, shows });
  raise(entryOf(1), entryOf(2));
  raise(entryOf(3));
  await expect.poll(seqs).toEqual([1, 2, 3]);
  expect(errors).toHaveLength(1);
});

test('when a message cannot be made at all, the client is sent to come back', async () => {
  const shows: View['shows'] = () => {
    throw new Error('a fault of the server');
  };
  const { raise, closed, errors } = await openAudience({ ...everything, shows });
  raise(entryOf(1));
  await expect.poll(() => closed).toEqual([{ error: 'unavailable', allowReconnect: true }]);
  expect(errors).toHaveLength(2);
});

import type { HubConnection, HubMessage } from '@tocsin/signalr';
import { createFanOut } from '@tocsin/signalr/testing';
import { expect, test } from 'vitest';
import type { HubUser } from '../access/hub-user.ts';
import type { FeedEntry } from './feed-entry.ts';
import { Subscriber } from './subscriber.ts';
import { createSubscriberFilter, type SubscriberFilter } from './subscriber-filter.ts';
import { Subscriptions } from './subscriptions.ts';

const megabyte = 1_048_576;

function entryOf(seq: number, message = ''): FeedEntry {
  const alarmJson = JSON.stringify({ id: seq, path: `pump/${seq}`, message });
  return { seq, at: 0, kind: 'raised', stationId: 1, announce: true, alarmJson };
}

/** A connection whose messages stay pending until it reads. */
function openClient() {
  const sent: HubMessage[] = [];
  const closed: object[] = [];
  let pendingBytes = 0;
  let isReading = true;
  const connection: HubConnection<HubUser> = {
    id: '1',
    identity: { user: {} as HubUser, key: 'ada' },
    generation: 'core',
    transportType: 'webSockets',
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
  const seqs = () =>
    sent.flatMap(({ invocations }) => invocations.map(({ argumentsJson }) => idIn(argumentsJson)));
  return { connection, sent, closed, read, seqs, pending: () => pendingBytes };
}

const sizeOf = ({ invocations }: HubMessage) =>
  invocations.reduce((sum, { argumentsJson }) => sum + argumentsJson.length, 0);
const idIn = (argumentsJson: string) => (JSON.parse(argumentsJson) as [{ id: number }])[0].id;
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const everything = createSubscriberFilter({ stationIds: undefined, filter: {} });

/** Subscriptions with one client, which is live at the start of a journal. */
async function openSubscriptions(filter: SubscriberFilter = everything) {
  const journal: FeedEntry[] = [];
  const errors: unknown[] = [];
  const subscriptions = new Subscriptions({
    fanOut: createFanOut(),
    loadReach: async () => undefined,
    readAfter: async (seq) => journal.filter((entry) => entry.seq > seq).slice(0, 256),
    onPushed: () => undefined,
    onDrained: () => undefined,
    onError: (error) => errors.push(error),
  });
  subscriptions.startAt(0);
  const client = openClient();
  const subscriber = new Subscriber(client.connection, filter, 0);
  subscriptions.add(subscriber);
  await subscriptions.catchUp(subscriber);
  const raise = (...entries: FeedEntry[]) => {
    journal.push(...entries);
    subscriptions.push(entries);
  };
  return { ...client, subscriptions, subscriber, raise, errors };
}

test('long alarms are split into messages that are too short to disconnect a reading client', async () => {
  const { raise, sent, seqs } = await openSubscriptions();
  raise(...upTo(64).map((seq) => entryOf(seq, 'x'.repeat(60_000))));
  await expect.poll(seqs).toEqual(upTo(64));
  for (const message of sent) expect(sizeOf(message)).toBeLessThan(megabyte / 2);
});

test('replayed long alarms are split, too', async () => {
  const { raise, sent, seqs, subscriptions, subscriber } = await openSubscriptions();
  subscriptions.pause(subscriber);
  raise(...upTo(64).map((seq) => entryOf(seq, 'x'.repeat(60_000))));
  await expect.poll(() => subscriptions.hasRoom).toBe(true);
  await subscriptions.catchUp(subscriber);
  expect(seqs()).toEqual(upTo(64));
  for (const message of sent) expect(sizeOf(message)).toBeLessThan(megabyte / 2);
});

test('a client that reads late gets the rest when it has read, in order and once', async () => {
  const { raise, read, seqs, pending, closed } = await openSubscriptions();
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

test('if a message fails once, the client gets the alarms a moment later', async () => {
  let failures = 1;
  const matches: SubscriberFilter['matches'] = () => {
    failures -= 1;
    if (failures === 0) throw new Error('a fault of the server');
    return true;
  };
  const { raise, seqs, errors } = await openSubscriptions({ ...everything, matches });
  raise(entryOf(1), entryOf(2));
  raise(entryOf(3));
  await expect.poll(seqs).toEqual([1, 2, 3]);
  expect(errors).toHaveLength(1);
});

test('if a message fails again, the client must reconnect', async () => {
  const matches: SubscriberFilter['matches'] = () => {
    throw new Error('a fault of the server');
  };
  const { raise, closed, errors } = await openSubscriptions({ ...everything, matches });
  raise(entryOf(1));
  await expect.poll(() => closed).toEqual([{ error: 'unavailable', allowReconnect: true }]);
  expect(errors).toHaveLength(2);
});

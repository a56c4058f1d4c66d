import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { CallEventFeed } from '../call-events/call-event-feed.ts';
import type { Subscriber } from '../subscriptions/subscriber.ts';
import type { Bus, BusMessage } from './nats.channel.ts';
import { openNodeMessages } from './node-messages.ts';

const log = pino({ level: 'silent' });
const secret = 'the secret of this installation';

/** A bus in memory that records its messages. */
function openBus() {
  const published: { subject: string; text: string }[] = [];
  const listeners = new Map<string, Set<(message: BusMessage) => void>>();
  const publish = (subject: string, text: string) => {
    published.push({ subject, text });
    for (const onMessage of listeners.get(subject) ?? [])
      onMessage({ length: Buffer.byteLength(text), text: () => text });
  };
  const connect = (): Bus => ({
    isConnected: true,
    publish,
    subscribe: (subject, onMessage) => {
      const all = listeners.get(subject) ?? new Set();
      listeners.set(subject, all.add(onMessage));
      return () => all.delete(onMessage);
    },
    close: () => Promise.resolve(),
  });
  return { published, publish, connect };
}

function openExchange(bus: ReturnType<typeof openBus>, ofSecret = secret) {
  const refused = { count: 0 };
  const nodeMessages = openNodeMessages(bus.connect(), ofSecret, {
    log,
    onRefused: () => (refused.count += 1),
  });
  return { nodeMessages, refused };
}

test('servers of one installation receive the messages of each other, but not their own or those of others', () => {
  const bus = openBus();
  const [one, other, stranger] = [openExchange(bus), openExchange(bus), openExchange(bus, 'another secret')];
  const received: string[] = [];
  for (const [name, { nodeMessages }] of Object.entries({ one, other }))
    nodeMessages.subscribe('journal', 7, ({ reached }) => received.push(`${name} received ${reached}`));
  one.nodeMessages.publish('journal', 7, 12);
  one.nodeMessages.publish('journal', 8, 13);
  one.nodeMessages.publish('call-events', 7, 14);
  stranger.nodeMessages.publish('journal', 7, 15);
  bus.publish('tocsin.journal.7', 'x'.repeat(1_000_000));
  expect(received).toEqual(['other received 12']);
  expect(other.refused.count).toBe(2);
});

/** A feed with one client that counts its reads. */
async function openCallEvents(bus: ReturnType<typeof openBus>) {
  const reads = { count: 0 };
  const position = { since: 1, known: new Map<number, number>() };
  const feed = new CallEventFeed({
    nodeMessages: openExchange(bus).nodeMessages,
    fanOut: { broadcast: () => Promise.resolve(0) },
    log,
    source: {
      readPosition: () => Promise.resolve(position),
      read: () => {
        reads.count += 1;
        return Promise.resolve({ callEvents: [], next: position, isFull: false });
      },
      listTenants: () => Promise.resolve([]),
    },
  });
  const connection = { identity: { user: { principal: { tenantId: 7 } } } };
  await feed.follow({ connection } as unknown as Subscriber);
  return { feed, reads };
}

test('new call event messages lead to reads, and repeated or unsigned ones to none', async () => {
  const bus = openBus();
  const [sender, receiver] = [await openCallEvents(bus), await openCallEvents(bus)];
  for (let number = 0; number < 3; number++) {
    sender.feed.onCallEvents(7);
    await sleep(100);
  }
  expect(receiver.reads.count).toBe(3);
  const texts = bus.published.map(({ text }) => text);
  expect(texts).toHaveLength(3);
  for (let round = 0; round < 1_000; round++) bus.publish('tocsin.call-events.7', texts[round % 3] ?? '');
  for (let round = 0; round < 1_000; round++) bus.publish('tocsin.call-events.7', crypto.randomUUID());
  await sleep(100);
  expect(receiver.reads.count).toBe(3);
  sender.feed.onCallEvents(7);
  await expect.poll(() => receiver.reads.count).toBe(4);
  sender.feed.close();
  receiver.feed.close();
});

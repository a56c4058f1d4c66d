import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createHintExchange } from './hint-exchange.ts';
import type { Bus, BusMessage } from './nats.channel.ts';
import type { Subscriber } from './subscriber.ts';
import { TidingFeed } from './tiding-feed.ts';

const log = pino({ level: 'silent' });
const secret = 'the secret of this installation';

/** A bus in memory, which keeps what was said on it. */
function openBus() {
  const said: { subject: string; text: string }[] = [];
  const ears = new Map<string, Set<(message: BusMessage) => void>>();
  const publish = (subject: string, text: string) => {
    said.push({ subject, text });
    for (const hear of ears.get(subject) ?? []) hear({ length: Buffer.byteLength(text), text: () => text });
  };
  const connect = (): Bus => ({
    isConnected: true,
    publish,
    subscribe: (subject, hear) => {
      const all = ears.get(subject) ?? new Set();
      ears.set(subject, all.add(hear));
      return () => all.delete(hear);
    },
    close: () => Promise.resolve(),
  });
  return { said, publish, connect };
}

function openExchange(bus: ReturnType<typeof openBus>, ofSecret = secret) {
  const refused = { count: 0 };
  const hints = createHintExchange(bus.connect(), ofSecret, { log, onRefused: () => (refused.count += 1) });
  return { hints, refused };
}

test('servers of one installation hear each other; another one on the same bus is not heard, nor is oneself', () => {
  const bus = openBus();
  const [one, other, stranger] = [openExchange(bus), openExchange(bus), openExchange(bus, 'another secret')];
  const heard: string[] = [];
  for (const [name, { hints }] of Object.entries({ one, other }))
    hints.subscribe('journal', 7, ({ reached }) => heard.push(`${name} hears ${reached}`));
  one.hints.publish('journal', 7, 12);
  one.hints.publish('journal', 8, 13);
  one.hints.publish('tidings', 7, 14);
  stranger.hints.publish('journal', 7, 15);
  bus.publish('tocsin.journal.7', 'x'.repeat(1_000_000));
  expect(heard).toEqual(['other hears 12']);
  expect(other.refused.count).toBe(2);
});

/** A feed that has one client, and counts how often it looks for news. */
async function openTidings(bus: ReturnType<typeof openBus>) {
  const looks = { count: 0 };
  const place = { since: 1, known: new Map<number, number>() };
  const feed = new TidingFeed({
    hints: openExchange(bus).hints,
    fanOut: { broadcast: () => Promise.resolve(0) },
    log,
    source: {
      readPlace: () => Promise.resolve(place),
      read: () => {
        looks.count += 1;
        return Promise.resolve({ tidings: [], next: place, isFull: false });
      },
      listTenants: () => Promise.resolve([]),
    },
  });
  const connection = { identity: { user: { principal: { tenantId: 7 } } } };
  await feed.follow({ connection } as unknown as Subscriber);
  return { feed, looks };
}

test('hints of tidings lead to a look each, or one for several; what is said again leads to none', async () => {
  const bus = openBus();
  const [telling, listening] = [await openTidings(bus), await openTidings(bus)];
  for (let number = 0; number < 3; number++) {
    telling.feed.onTold(7);
    await sleep(100);
  }
  expect(listening.looks.count).toBe(3);
  const hints = bus.said.map(({ text }) => text);
  expect(hints).toHaveLength(3);
  for (let turn = 0; turn < 1_000; turn++) bus.publish('tocsin.tidings.7', hints[turn % 3] ?? '');
  for (let turn = 0; turn < 1_000; turn++) bus.publish('tocsin.tidings.7', crypto.randomUUID());
  await sleep(100);
  expect(listening.looks.count).toBe(3);
  telling.feed.onTold(7);
  await expect.poll(() => listening.looks.count).toBe(4);
  telling.feed.close();
  listening.feed.close();
});

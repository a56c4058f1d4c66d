import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Channel } from '../../channels/port/channel.ts';
import { createTenant } from '../../people/create-tenant.ts';
import type { Client } from '../../testing/app.fixture.ts';
import { startDispatcher } from '../dispatcher.ts';
import type { Dispatch } from '../engine/dispatch.ts';
import { test as withDispatch } from '../testing/dispatch.fixture.ts';
import { dispatchTo } from '../testing/simulated-dispatch.fixture.ts';
import { ChannelListeners } from './listen-channels.ts';

const renewMs = 200;

type Listening = { server: string; channelId: number; ended: boolean };

/** A line to a provider, as several servers see it. */
class Line {
  readonly listenings: Listening[] = [];
  version = 1;
  enabled = true;
  /** Breaks the connection at once. */
  isBroken = false;
  breakAll = () => {};

  get open(): Listening[] {
    return this.listenings.filter(({ ended }) => !ended);
  }

  get holders(): string[] {
    return this.open.map(({ server }) => server);
  }

  channelOf(server: string, channelId: number): Channel {
    return {
      place: async () => ({ kind: 'accepted', reference: '' }),
      check: async () => ({ works: true }),
      listen: async (signal) => {
        const listening = { server, channelId, ended: false };
        this.listenings.push(listening);
        try {
          if (this.isBroken) throw new Error('connection refused');
          await new Promise<void>((resolve, reject) => {
            signal.addEventListener('abort', () => resolve(), { once: true });
            this.breakAll = () => reject(new Error('connection reset'));
          });
        } finally {
          listening.ended = true;
        }
      },
    };
  }
}

const test = withDispatch
  .extend('line', () => new Line())
  .extend('serverOf', ({ runtime, world, line }) => (name: string): Dispatch => {
    const dispatch = dispatchTo(runtime, world);
    const find: Dispatch['channels']['find'] = async ({ tenantId }, id) => {
      const { version, enabled } = line;
      const channel = line.channelOf(tenantId === 1 ? name : `${name} for ${tenantId}`, id);
      return { id, medium: 'Sms', channel, version, enabled };
    };
    return { ...dispatch, channels: { ...dispatch.channels, find } };
  })
  .extend('listenersOf', ({ serverOf }, { onCleanup }) => {
    const started: ChannelListeners[] = [];
    onCleanup(async () => {
      for (const one of started) await one.stop();
    });
    return (name: string) => {
      const listeners = new ChannelListeners(serverOf(name), { renewMs });
      started.push(listeners);
      return listeners;
    };
  });

const addChannel = (admin: Client, name = 'SMS centre') =>
  admin.post('/channels', {
    name,
    kind: 'simulated',
    medium: 'Sms',
    settings: { url: 'http://127.0.0.1:1' },
  });

test('of two servers one listens to a channel, and the other takes over when the first stops', async ({
  client,
  line,
  listenersOf,
}) => {
  await addChannel(client('admin'));
  const [north, south] = [listenersOf('north'), listenersOf('south')];
  await Promise.all([north.runPass(), south.runPass()]);
  for (let pass = 0; pass < 3; pass += 1) await Promise.all([north.runPass(), south.runPass()]);
  expect(line.listenings).toHaveLength(1);
  const [first] = line.holders;
  const [stopping, remaining] = first === 'north' ? [north, south] : [south, north];
  await stopping.stop();
  expect(line.open).toEqual([]);
  await remaining.runPass();
  expect(line.holders).toEqual([first === 'north' ? 'south' : 'north']);
});

test('when a server dies another one listens after its lease, and the first one closes when it wakes', async ({
  client,
  clock,
  line,
  listenersOf,
}) => {
  await addChannel(client('admin'));
  const [north, south] = [listenersOf('north'), listenersOf('south')];
  await north.runPass();
  clock.advance(14);
  await south.runPass();
  expect(line.holders).toEqual(['north']);
  clock.advance(2);
  await south.runPass();
  expect(line.holders).toEqual(['north', 'south']);
  await sleep(renewMs);
  await north.runPass();
  await expect.poll(() => line.holders).toEqual(['south']);
  await north.runPass();
  expect(line.holders).toEqual(['south']);
});

test('a server that renews its lease keeps the channel', async ({ client, clock, line, listenersOf }) => {
  await addChannel(client('admin'));
  const [north, south] = [listenersOf('north'), listenersOf('south')];
  await north.runPass();
  await sleep(renewMs);
  clock.advance(14);
  await north.runPass();
  clock.advance(14);
  await south.runPass();
  expect(line.listenings).toEqual([{ server: 'north', channelId: 1, ended: false }]);
});

test('a changed channel is opened again, a disabled or deleted one is closed', async ({
  client,
  line,
  listenersOf,
}) => {
  const admin = client('admin');
  await addChannel(admin);
  const north = listenersOf('north');
  const states = async () => {
    await sleep(renewMs);
    await north.runPass();
    return line.listenings.map(({ ended }) => (ended ? 'closed' : 'open'));
  };
  await north.runPass();
  const body = { name: 'B', kind: 'simulated', medium: 'Sms', settings: { url: 'http://127.0.0.1:2' } };
  await admin.put('/channels/1', body);
  line.version = 2;
  await expect.poll(states).toEqual(['closed', 'open']);
  await admin.put('/channels/1', { ...body, enabled: false });
  line.enabled = false;
  line.version = 3;
  await expect.poll(states).toEqual(['closed', 'closed']);
  await sleep(renewMs); // for the release
  expect(await states(), 'it stays closed').toEqual(['closed', 'closed']);
  await admin.put('/channels/1', { ...body, enabled: true });
  line.enabled = true;
  line.version = 4;
  await north.runPass();
  expect(line.open, 'it is opened at once').toHaveLength(1);
  await admin.delete('/channels/1');
  await expect.poll(states).toEqual(['closed', 'closed', 'closed']);
});

test('a connection that fails is opened again, later each time', async ({
  client,
  clock,
  line,
  listenersOf,
}) => {
  await addChannel(client('admin'));
  const north = listenersOf('north');
  line.isBroken = true;
  const openings: number[] = [];
  for (let second = 0; second < 16; second += 1) {
    const before = line.listenings.length;
    await north.runPass();
    if (line.listenings.length > before) openings.push(second);
    await expect.poll(() => line.open).toEqual([]);
    await sleep(50); // for the release
    clock.advance(1);
  }
  expect(openings).toEqual([0, 1, 3, 7, 15]);
  line.isBroken = false;
  clock.advance(30);
  await north.runPass();
  expect(line.open).toHaveLength(1);
  line.breakAll();
  await expect.poll(() => line.open).toEqual([]);
});

test('the channels of every tenant are listened to', async ({ runtime, client, line, listenersOf }) => {
  await addChannel(client('admin'));
  const elsewhere = await createTenant(runtime, { name: 'Elsewhere' });
  await addChannel(client('admin', { tenantId: elsewhere }), 'Another');
  await listenersOf('north').runPass();
  expect(line.holders.toSorted()).toEqual(['north', `north for ${elsewhere}`]);
});

test('running dispatchers listen, and one of them takes over from another', async ({
  client,
  line,
  serverOf,
}) => {
  await addChannel(client('admin'));
  const north = startDispatcher(serverOf('north'), {});
  await expect.poll(() => line.holders).toEqual(['north']);
  const south = startDispatcher(serverOf('south'), {});
  try {
    await sleep(1_500);
    expect(line.holders).toEqual(['north']);
    await north.stop();
    await expect.poll(() => line.holders, { timeout: 5_000 }).toEqual(['south']);
  } finally {
    await Promise.all([north.stop(), south.stop()]);
  }
  expect(line.open).toEqual([]);
});

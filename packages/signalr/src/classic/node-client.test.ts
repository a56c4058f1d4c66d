import { beforeEach, describe, expect, vi } from 'vitest';
import { test } from './testing/classic-node.fixture.ts';
import { openNodeClient } from './testing/node-client.fixture.ts';
import { until } from './testing/raw-client.fixture.ts';

beforeEach(() => {
  // The client writes to the console when it aborts.
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
});

describe('the npm package signalr-client', () => {
  test.for(['alarmHub', 'alarmhub', 'ALARMHUB'])(
    'receives alarms of the hub %s',
    async (hub, { log, start }) => {
      const node = await start();
      const { client, received, events } = openNodeClient(node.address, 'anna-token', hub);
      await until(() => events.includes('connected'));
      for (let n = 0; n < 20; n += 1) log.raise();
      await until(() => received.length >= 20);
      expect(received).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
      client.end();
    },
  );

  test('invokes methods and gets results and errors', async ({ start }) => {
    const node = await start();
    const { client, events, call } = openNodeClient(node.address, 'anna-token');
    await until(() => events.includes('connected'));
    expect(await call('echo', { a: 1 })).toEqual({ a: 1 });
    expect(await call('whoAmI')).toBe('anna');
    await expect(call('refuse')).rejects.toThrow('the pump is locked');
    client.end();
  });

  test('continues after the confirmed messages when it reconnects with /connect', async ({ log, start }) => {
    const node = await start();
    const { client, received, events } = openNodeClient(node.address, 'anna-token');
    await until(() => events.includes('connected'));
    for (let n = 0; n < 5; n += 1) log.raise();
    await until(() => received.length === 5);
    await node.advance(10_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    node.resetSockets();
    for (let n = 0; n < 5; n += 1) log.raise();
    await until(() => events.includes('reconnected'));
    await until(() => received.length >= 10);
    expect(received).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
    expect(node.requests.filter((line) => line === 'WS /connect')).toHaveLength(2);
    client.end();
  });

  test('gets unconfirmed messages again', async ({ log, start }) => {
    const node = await start();
    const { client, received, events } = openNodeClient(node.address, 'anna-token');
    await until(() => events.includes('connected'));
    for (let n = 0; n < 3; n += 1) log.raise();
    await until(() => received.length === 3);
    node.resetSockets();
    log.raise();
    await until(() => received.length >= 7);
    expect(received).toEqual([1, 2, 3, 1, 2, 3, 4]);
    client.end();
  });

  test('is removed by its abort request, which names another transport', async ({ start }) => {
    const node = await start();
    const { client, events } = openNodeClient(node.address, 'anna-token');
    await until(() => events.includes('connected'));
    client.end();
    await until(() => node.requests.includes('POST /abort'));
    await until(() => node.context.admission.connections === 0);
    expect(node.hub.connections.size).toBe(0);
  });

  test('is told that it is not authorized', async ({ start }) => {
    const node = await start();
    const { events } = openNodeClient(node.address, 'wrong');
    await until(() => events.includes('onUnauthorized'));
    expect(node.hub.connects).toEqual([]);
  });
});

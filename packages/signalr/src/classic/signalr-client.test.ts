import { beforeEach, describe, expect, vi } from 'vitest';
import { test } from './classic-node.fixture.ts';
import { until } from './raw-client.fixture.ts';
import { openNodeClient } from './signalr-client.fixture.ts';

beforeEach(() => {
  // The client says on the console that it aborts.
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
});

describe('the client of npm', () => {
  test.for(['alarmHub', 'alarmhub', 'ALARMHUB'])('hears of alarms from %s', async (hub, { log, start }) => {
    const node = await start();
    const { client, heard, happened } = openNodeClient(node.address, 'anna-token', hub);
    await until(() => happened.includes('connected'));
    for (let n = 0; n < 20; n += 1) log.raise();
    await until(() => heard.length >= 20);
    expect(heard).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    client.end();
  });

  test('calls methods and gets results and errors', async ({ start }) => {
    const node = await start();
    const { client, happened, call } = openNodeClient(node.address, 'anna-token');
    await until(() => happened.includes('connected'));
    expect(await call('echo', { a: 1 })).toEqual({ a: 1 });
    expect(await call('whoAmI')).toBe('anna');
    await expect(call('refuse')).rejects.toThrow('the pump is locked');
    client.end();
  });

  test('goes on after what it has confirmed when it comes back by /connect', async ({ log, start }) => {
    const node = await start();
    const { client, heard, happened } = openNodeClient(node.address, 'anna-token');
    await until(() => happened.includes('connected'));
    for (let n = 0; n < 5; n += 1) log.raise();
    await until(() => heard.length === 5);
    await node.pass(10_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    node.cut();
    for (let n = 0; n < 5; n += 1) log.raise();
    await until(() => happened.includes('reconnected'));
    await until(() => heard.length >= 10);
    expect(heard).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
    expect(node.requests.filter((line) => line === 'WS /connect')).toHaveLength(2);
    client.end();
  });

  test('misses nothing that it has not confirmed, and hears of it again', async ({ log, start }) => {
    const node = await start();
    const { client, heard, happened } = openNodeClient(node.address, 'anna-token');
    await until(() => happened.includes('connected'));
    for (let n = 0; n < 3; n += 1) log.raise();
    await until(() => heard.length === 3);
    node.cut();
    log.raise();
    await until(() => heard.length >= 7);
    expect(heard).toEqual([1, 2, 3, 1, 2, 3, 4]);
    client.end();
  });

  test('is gone once it has ended, by an abort that names another transport', async ({ start }) => {
    const node = await start();
    const { client, happened } = openNodeClient(node.address, 'anna-token');
    await until(() => happened.includes('connected'));
    client.end();
    await until(() => node.requests.includes('POST /abort'));
    await until(() => node.context.admission.connections === 0);
    expect(node.hub.members.size).toBe(0);
  });

  test('is told that it has no right to be here', async ({ start }) => {
    const node = await start();
    const { happened } = openNodeClient(node.address, 'wrong');
    await until(() => happened.includes('onUnauthorized'));
    expect(node.hub.joins).toEqual([]);
  });
});

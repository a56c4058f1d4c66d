import { afterEach, beforeEach, describe, expect } from 'vitest';
import type { TransportType } from '../hub/hub.ts';
import { cursorOf } from './testing/alarm-log.fixture.ts';
import { test as withNode } from './testing/classic-node.fixture.ts';
import { type JqueryConnection, openPage, type Page, states } from './testing/jquery-client.fixture.ts';
import { until } from './testing/raw-client.fixture.ts';

/** `test` with a node and a browser page. */
const test = withNode
  .extend('node', ({ start }) => start({ allowJsonp: false }))
  .extend('page', ({ node }, { onCleanup }): Page => {
    const page = openPage(node.address);
    onCleanup(() => page.close());
    return page;
  });

const transports: TransportType[] = ['webSockets', 'serverSentEvents', 'longPolling'];

type Alarm = { id: number };

/** Starts a connection with a callback and collects its messages. */
async function subscribe(connection: JqueryConnection, transport: TransportType, name = 'alarmHub') {
  const received: number[] = [];
  const proxy = connection.createHubProxy(name);
  proxy.on('onAlarm', (alarm: Alarm) => void received.push(alarm.id));
  await connection.start({ transport });
  return { received, proxy };
}

const seen: unknown[] = [];
const note = (reason: unknown) => void seen.push(reason);
beforeEach(() => {
  seen.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.off('unhandledRejection', note);
  expect(seen).toEqual([]);
});

describe.for(transports)('the official client over %s', (transport) => {
  test('receives each new alarm once and in order, and no earlier ones', async ({ log, page }) => {
    log.raise();
    const { received } = await subscribe(page.connect(), transport);
    for (let n = 0; n < 20; n += 1) log.raise();
    await until(() => received.length >= 20);
    expect(received).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
  });

  test.for(['alarmHub', 'alarmhub', 'ALARMHUB'])(
    'finds the hub by the name %s',
    async (name, { log, page }) => {
      const { received } = await subscribe(page.connect(), transport, name);
      log.raise();
      await until(() => received.length > 0);
      expect(received).toEqual([1]);
    },
  );

  test('invokes methods and gets results, undefined, and errors', async ({ page }) => {
    const { proxy } = await subscribe(page.connect(), transport);
    expect(await proxy.invoke('echo', { deep: [1, 'ä'] })).toEqual({ deep: [1, 'ä'] });
    expect(await proxy.invoke('nothing')).toBeUndefined();
    await expect(Promise.resolve(proxy.invoke('refuse'))).rejects.toMatchObject({
      message: 'the pump is locked',
      source: 'HubException',
    });
    await expect(Promise.resolve(proxy.invoke('crash'))).rejects.toMatchObject({
      message: "There was an error invoking Hub method 'alarmhub.crash'.",
      source: 'Exception',
    });
    await expect(Promise.resolve(proxy.invoke('gone'))).rejects.toThrow(
      "'gone' method could not be resolved.",
    );
    await expect(Promise.resolve(proxy.invoke('count'))).rejects.toThrow('stream');
  });

  test('works with the generated proxy', async ({ log, node, page }) => {
    page.window.eval(await (await fetch(`${node.address}/signalr/hubs`)).text());
    const { connection } = page.window.jQuery;
    const received: number[] = [];
    const hub = connection['alarmHub'];
    if (hub === undefined) throw new Error('the proxy has no alarmHub');
    hub.client['onAlarm'] = (alarm: Alarm) => void received.push(alarm.id);
    connection.hub.qs = { access_token: 'anna-token' };
    await connection.hub.start({ transport });
    log.raise();
    await until(() => received.length > 0);
    expect(await hub.server['whoAmI']?.()).toBe('anna');
    connection.hub.stop();
    expect(received).toEqual([1]);
  });

  test('receives no messages without a callback, but can invoke methods', async ({ log, node, page }) => {
    const connection = page.connect();
    const received: unknown[] = [];
    connection.received((data) => void received.push(data));
    const proxy = connection.createHubProxy('alarmHub');
    await connection.start({ transport });
    log.raise();
    expect(await proxy.invoke('echo', 1)).toBe(1);
    expect(received).toEqual([{ I: '0', R: 1 }]);
    expect(node.hub.connects).toEqual([]);
  });

  test('is disconnected from the hub when it stops', async ({ node, page }) => {
    const connection = page.connect();
    await subscribe(connection, transport);
    expect(node.hub.connections.size).toBe(1);
    connection.stop();
    await until(() => node.requests.includes('POST /abort'));
    await until(() => node.hub.connections.size === 0);
    await until(() => node.context.admission.connections === 0);
  });

  test('misses no alarm and gets none twice when its socket is reset', async ({ log, node, page }) => {
    const connection = page.connect();
    const { received } = await subscribe(connection, transport);
    for (let n = 0; n < 40; n += 1) log.raise();
    await until(() => received.length >= 20);
    node.resetSockets();
    for (let n = 0; n < 40; n += 1) log.raise();
    await until(() => received.length >= 80);
    log.raise();
    await until(() => received.length >= 81);
    expect(received).toEqual(Array.from({ length: 81 }, (_, index) => index + 1));
    expect(node.requests.filter((line) => line.endsWith('/reconnect')).length).toBeGreaterThan(0);
  });

  test('stops with an error when its token expires', async ({ node, page }) => {
    const connection = page.connect('short-token');
    const errors: string[] = [];
    connection.error((error) => void errors.push(error.message));
    await subscribe(connection, transport);
    if (transport === 'longPolling') await until(() => node.requests.includes('POST /poll'));
    await node.advance(60_000);
    await until(() => connection.state === states.disconnected);
    expect(errors).toContain('The access token has expired.');
    expect(node.hub.connections.size).toBe(0);
  });

  test('reconnects after the server has closed it for a restart', async ({ log, node, page }) => {
    const connection = page.connect();
    const { received } = await subscribe(connection, transport);
    log.raise();
    await until(() => received.length === 1);
    for (const each of node.context.connections) each.close({ allowReconnect: true });
    log.raise();
    await until(() => received.length === 2);
    expect(received).toEqual([1, 2]);
    expect(node.hub.connects[1]?.cursor).toBe(cursorOf(1));
  });

  test('is refused without a token', async ({ page }) => {
    const connection = page.connect('');
    await expect(subscribe(connection, transport)).rejects.toThrow('Error during negotiation request.');
  });

  test('is refused for an unknown hub', async ({ page }) => {
    await expect(subscribe(page.connect(), transport, 'chatHub')).rejects.toMatchObject({
      context: { status: 500 },
    });
  });

  test('is refused as a persistent connection, which would never get a message', async ({ node, page }) => {
    const connection = page.window.jQuery.connection(`${node.address}/signalr`);
    connection.qs = { access_token: 'anna-token' };
    await expect(Promise.resolve(connection.start({ transport }))).rejects.toMatchObject({
      context: { status: 400 },
    });
  });
});

test.for(['webSockets', 'serverSentEvents'] as const)(
  'the official client over %s returns the state of the hub',
  async (transport, { node, page }) => {
    const connection = page.connect();
    const { proxy } = await subscribe(connection, transport);
    await proxy.invoke('keep', 'only the boilers');
    await until(() => connection.groupsToken);
    node.resetSockets();
    await until(() => node.hub.connects.length > 1);
    expect(node.hub.connects.at(-1)?.state).toBe('only the boilers');
  },
);

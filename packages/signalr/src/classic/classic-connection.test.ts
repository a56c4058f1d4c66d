import { describe, expect } from 'vitest';
import { cursorOf } from './testing/alarm-log.fixture.ts';
import { test } from './testing/classic-node.fixture.ts';
import { alarmsIn, negotiate, until } from './testing/raw-client.fixture.ts';

describe('a streaming connection', () => {
  test.for(['socket', 'events'] as const)('over %s starts with its cursor', async (kind, { log, start }) => {
    const client = await negotiate(await start());
    log.raise();
    const stream = client[kind]();
    await until(() => stream.frames.length > 0);
    expect(stream.frames).toEqual([{ C: cursorOf(1), S: 1, M: [] }]);
    expect(await (await client.get('start')).json()).toEqual({ Response: 'started' });
    stream.close();
  });

  test('over server-sent events starts with "initialized"', async ({ start }) => {
    const client = await negotiate(await start());
    const response = await fetch(client.url('connect', { transport: 'serverSentEvents' }));
    const first = await response.body?.getReader().read();
    expect(Buffer.from(first?.value ?? []).toString()).toMatch(/^data: initialized\r\n\r\n/);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
  });

  test.for(['socket', 'events'] as const)(
    'over %s sends a keep-alive every ten seconds',
    async (kind, { start }) => {
      const node = await start();
      const stream = (await negotiate(node))[kind]();
      await until(() => stream.frames.length === 1);
      await node.advance(9_000);
      await node.advance(2_000);
      await node.advance(9_000);
      await until(() => stream.frames.length === 3);
      expect(stream.frames.slice(1)).toEqual([{}, {}]);
      stream.close();
    },
  );

  test.for(['socket', 'events'] as const)(
    'over %s continues after its cursor on reconnect, without an init message',
    async (kind, { log, start }) => {
      const client = await negotiate(await start());
      for (let n = 0; n < 5; n += 1) log.raise();
      const stream = client[kind]('reconnect', { messageId: cursorOf(2) });
      await until(() => stream.frames.length === 3);
      expect(stream.frames.map(({ S }) => S)).toEqual([undefined, undefined, undefined]);
      expect(alarmsIn(stream.frames)).toEqual([3, 4, 5]);
      stream.close();
    },
  );

  test('with an unknown cursor gets a new one', async ({ log, start }) => {
    const node = await start();
    const client = await negotiate(node);
    log.raise();
    const stream = client.socket('reconnect', { messageId: 'd-OTHER-B,5' });
    await until(() => stream.frames.length > 0);
    expect(node.hub.connects).toMatchObject([{ cursor: 'd-OTHER-B,5', state: undefined }]);
    expect(stream.frames).toEqual([{ C: cursorOf(1), M: [] }]);
    stream.close();
  });

  test('is closed when its client opens another', async ({ log, start }) => {
    const node = await start();
    const client = await negotiate(node);
    const first = client.events();
    await until(() => first.frames.length === 1);
    log.raise();
    await until(() => first.frames.length === 2);
    const second = client.events();
    await until(() => second.frames.length === 1);
    expect(second.frames).toEqual([{ C: cursorOf(1), S: 1, M: [] }]);
    expect(await until(() => first.ended())).toBe(0);
    log.raise();
    await until(() => second.frames.length === 2);
    expect(alarmsIn([...first.frames, ...second.frames])).toEqual([1, 2]);
    expect(node.hub.connections.size).toBe(1);
    expect(node.context.admission.connections).toBe(1);
    second.close();
  });

  test('opened again without a cursor gets the unconfirmed messages', async ({ log, start }) => {
    const node = await start();
    const client = await negotiate(node);
    const first = client.socket();
    await until(() => first.frames.length === 1);
    log.raise();
    await node.advance(10_000);
    await until(() => first.frames.length === 3);
    await new Promise((resolve) => setTimeout(resolve, 50));
    log.raise();
    await until(() => first.frames.length === 4);
    const second = client.socket();
    await until(() => second.frames.length === 2);
    expect(second.frames[0]).toEqual({ C: cursorOf(1), S: 1, M: [] });
    expect(alarmsIn(second.frames)).toEqual([2]);
    expect(await until(() => first.ended())).toBe(1000);
    second.close();
  });

  test('is closed for a reconnect when onConnected fails', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    node.hub.failNextConnect();
    const stream = client.socket();
    expect(await until(() => stream.ended())).toBe(1000);
    expect(stream.frames).toEqual([]);
    const again = client.socket();
    await until(() => again.frames.length === 1);
    again.close();
  });

  test('closed during onConnected is disconnected from the hub', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    const release = node.hub.holdNextConnect();
    const stream = client.socket();
    await until(() => node.hub.connects.length === 1);
    stream.close();
    const other = client.socket();
    await until(() => node.hub.connects.length === 2);
    release();
    await until(() => other.frames.length === 1);
    expect([...node.hub.connections].map(({ isOpen }) => isOpen)).toEqual([true]);
    other.close();
    await until(() => node.hub.connections.size === 0);
  });

  test('sends its cursor with messages that have none', async ({ log, start }) => {
    const client = await negotiate(await start());
    log.raise();
    const stream = client.socket();
    stream.frames.length = 0;
    await until(() => stream.frames.length === 1);
    stream.send({ H: 'alarmhub', M: 'sayhello', A: [], I: 7 });
    await until(() => stream.frames.length === 3);
    expect(stream.frames.slice(1)).toEqual([
      { C: cursorOf(1), M: [{ H: 'alarmHub', M: 'onHello', A: ['there'] }] },
      { I: '7' },
    ]);
    stream.close();
  });

  test('that does not keep up is disconnected, gets the pending messages, and continues from there', async ({
    log,
    start,
  }) => {
    const node = await start({ limits: { maxPendingBytes: 200_000 } });
    const client = await negotiate(node);
    const received: number[] = [];
    let rounds = 0;
    const total = 400;
    for (let n = 0; n < total; n += 1) log.raise('x'.repeat(50_000));
    let messageId = cursorOf(0);
    while (received.length < total && rounds < 50) {
      rounds += 1;
      const stream = client.socket('reconnect', { messageId });
      await until(() => stream.ended() !== undefined || alarmsIn(stream.frames).at(-1) === total);
      received.push(...alarmsIn(stream.frames));
      messageId = stream.frames.at(-1)?.C ?? messageId;
      stream.close();
    }
    expect(rounds).toBeGreaterThan(1);
    expect(node.context.counters.tooSlow).toBe(rounds - 1);
    expect(received).toEqual(Array.from({ length: total }, (_, index) => index + 1));
  });
});

describe('the state of a client', () => {
  test('is kept for thirty seconds after its socket closes', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    const stream = client.socket();
    await until(() => stream.frames.length === 1);
    stream.close();
    await until(() => node.hub.connections.size === 0);
    await node.advance(29_000);
    expect(node.context.admission.connections).toBe(1);
    await node.advance(2_000);
    expect(node.context.admission.connections).toBe(0);
  });

  test('is removed at once by abort, with any transport parameter', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    const stream = client.socket();
    await until(() => stream.frames.length === 1);
    const response = await client.post('abort', {}, { transport: 'serverSentEvents' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(await until(() => stream.ended())).toBe(1000);
    expect(node.context.admission.connections).toBe(0);
  });

  test('is restored from a valid groups token only', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    const stream = client.socket();
    await until(() => stream.frames.length === 1);
    stream.send({ H: 'alarmHub', M: 'keep', A: ['boilers'], I: 1 });
    const groupsToken = await until(() => stream.frames.find(({ G }) => G !== undefined)?.G);
    expect(groupsToken).not.toContain('boilers');
    await client.post('abort');

    const good = client.socket('reconnect', { messageId: cursorOf(0), groupsToken });
    await until(() => node.hub.connects.length === 2);
    await client.post('abort');
    const bad = client.socket('reconnect', {
      messageId: cursorOf(0),
      groupsToken: `${groupsToken.startsWith('x') ? 'y' : 'x'}${groupsToken.slice(1)}`,
    });
    await until(() => node.hub.connects.length === 3);
    const other = (await negotiate(node)).socket('reconnect', { messageId: cursorOf(0), groupsToken });
    await until(() => node.hub.connects.length === 4);
    expect(node.hub.connects.map(({ state }) => state)).toEqual([undefined, 'boilers', undefined, undefined]);
    for (const each of [good, bad, other]) each.close();
  });

  test('is limited to four kilobytes', async ({ start }) => {
    const client = await negotiate(await start());
    const stream = client.socket();
    stream.frames.length = 0;
    await until(() => stream.frames.length === 1);
    stream.send({ H: 'alarmHub', M: 'keep', A: ['x'.repeat(4_097)], I: 1 });
    await until(() => stream.frames.length === 2);
    expect(stream.frames[1]).toMatchObject({ I: '1', E: expect.stringContaining('error invoking') });
    stream.close();
  });

  test('is removed after the hub closes the connection with an error', async ({ start }) => {
    const node = await start();
    const stream = (await negotiate(node)).events();
    await until(() => stream.frames.length === 1);
    for (const each of node.context.connections) each.close({ error: 'locked out', allowReconnect: false });
    await until(() => stream.ended() !== undefined);
    expect(stream.frames[1]).toEqual({ E: 'locked out' });
  });
});

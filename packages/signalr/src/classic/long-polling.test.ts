import { describe, expect } from 'vitest';
import { type AlarmLog, cursorOf } from './testing/alarm-log.fixture.ts';
import { test } from './testing/classic-node.fixture.ts';
import { openPage } from './testing/jquery-client.fixture.ts';
import { alarmsIn, type Frame, negotiate, type RawClient, until } from './testing/raw-client.fixture.ts';

function raiseMany(log: AlarmLog, count: number, text?: string): void {
  for (let n = 0; n < count; n += 1) log.raise(text);
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Polls from `cursor` until it has `count` alarms. */
async function pollUntil(client: RawClient, cursor: string, count: number): Promise<Frame[]> {
  const frames: Frame[] = [];
  let messageId = cursor;
  while (alarmsIn(frames).length < count) {
    const frame = await client.poll('poll', { messageId });
    frames.push(frame);
    messageId = frame.C ?? messageId;
  }
  return frames;
}

describe('a long polling client', () => {
  test('gets its cursor at once and then waits for messages', async ({ log, start }) => {
    const client = await negotiate(await start());
    log.raise();
    expect(await client.poll('connect')).toEqual({ C: cursorOf(1), S: 1, M: [] });
    const poll = client.poll('poll', { messageId: cursorOf(1) });
    log.raise();
    expect(await poll).toEqual({
      C: cursorOf(2),
      M: [{ H: 'alarmHub', M: 'onAlarm', A: [{ id: 2, text: 'pump' }] }],
    });
  });

  test('gets all messages between two polls in one response, in order', async ({ log, start }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    raiseMany(log, 100);
    const frame = await client.poll('poll', { messageId: cursorOf(0) });
    expect(frame.C).toBe(cursorOf(100));
    expect(alarmsIn([frame])).toEqual(numbers(100));
    expect(node.hub.connects.length).toBe(1);
  });

  test('gets a lost response again', async ({ log, start }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    raiseMany(log, 3);
    await client.poll('poll', { messageId: cursorOf(0) });
    log.raise();
    const again = await client.poll('reconnect', { messageId: cursorOf(0) });
    expect(alarmsIn([again])).toEqual([1, 2, 3, 4]);
    expect(node.hub.connects.map(({ cursor }) => cursor)).toEqual([undefined, cursorOf(0)]);
    expect(node.hub.connections.size).toBe(1);
  });

  test('gets all messages in order while the queue stays within its limit', async ({ log, start }) => {
    const node = await start({ limits: { maxPendingBytes: 5_000 } });
    const client = await negotiate(node);
    await client.poll('connect');
    raiseMany(log, 300);
    expect(node.hub.connections.size).toBe(0);
    const frames = await pollUntil(client, cursorOf(0), 300);
    expect(alarmsIn(frames)).toEqual(numbers(300));
    expect(frames.length).toBeGreaterThan(3);
    for (const frame of frames) expect(JSON.stringify(frame).length).toBeLessThan(6_000);
  });

  test('gets an alarm that is larger than the queue limit', async ({ log, start }) => {
    const client = await negotiate(await start({ limits: { maxPendingBytes: 1_000 } }));
    await client.poll('connect');
    raiseMany(log, 3, 'x'.repeat(2_000));
    expect(alarmsIn(await pollUntil(client, cursorOf(0), 3))).toEqual([1, 2, 3]);
  });

  test('gets keep-alive data, and an empty response at the timeout', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    const poll = client.post('poll', { messageId: cursorOf(0) });
    await until(() => node.requests.includes('POST /poll'));
    await until(() => node.hub.connections.size === 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await node.advance(115_000);
    const text = await (await poll).text();
    expect(text).toMatch(/^ {10}\{/);
    expect(JSON.parse(text)).toEqual({ C: cursorOf(0), M: [] });
  });

  test('gets an empty response to a poll that a newer one replaces', async ({ log, start }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    const first = client.poll('poll', { messageId: cursorOf(0) });
    await until(() => node.requests.filter((line) => line === 'POST /poll').length === 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const second = client.poll('poll', { messageId: cursorOf(0) });
    expect(await first).toEqual({ C: cursorOf(0), M: [] });
    log.raise();
    expect(alarmsIn([await second])).toEqual([1]);
  });

  test('is kept for thirty seconds between polls, and continues from its cursor after that', async ({
    log,
    start,
  }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    await node.advance(29_000);
    expect(node.hub.connections.size).toBe(1);
    await node.advance(2_000);
    expect(node.hub.connections.size).toBe(0);
    expect(node.context.admission.connections).toBe(0);
    log.raise();
    expect(alarmsIn([await client.poll('poll', { messageId: cursorOf(0) })])).toEqual([1]);
  });

  test('is asked to reconnect when the server closes', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    const poll = client.poll('poll', { messageId: cursorOf(0) });
    await until(() => node.requests.includes('POST /poll'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const each of node.context.connections) each.close({ allowReconnect: true });
    expect(await poll).toEqual({ C: cursorOf(0), T: 1, M: [] });
  });

  test('gets the error of a close between two polls with the next poll', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    for (const each of node.context.connections) each.close({ error: 'locked out', allowReconnect: false });
    expect(await client.poll('poll', { messageId: cursorOf(0) })).toEqual({ E: 'locked out' });
  });

  test('continues with a renewed token after the old one has expired', async ({ log, start }) => {
    const node = await start();
    const client = await negotiate(node, { bearer: 'short-token' });
    await client.poll('connect');
    await node.advance(61_000);
    log.raise();
    expect(alarmsIn([await client.poll('poll', { messageId: cursorOf(0) })])).toEqual([1]);
  });

  test('gets its groups token with the next response', async ({ log, start }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    const sent = await client.post('send', { data: '{"H":"alarmHub","M":"Keep","A":["boilers"],"I":3}' });
    expect(await sent.json()).toEqual({ I: '3' });
    const { C, G = '', M } = await client.poll('poll', { messageId: cursorOf(0) });
    expect([C, M]).toEqual([cursorOf(0), []]);
    await client.post('abort');
    log.raise();
    await client.poll('poll', { messageId: cursorOf(0), groupsToken: G });
    expect(node.hub.connects[1]).toEqual({ cursor: cursorOf(0), state: 'boilers', hasState: true });
  });

  test('gets 503 when onConnected fails', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    node.hub.failNextConnect();
    expect((await client.post('connect')).status).toBe(503);
    expect((await client.poll('connect')).S).toBe(1);
  });

  test('gets no messages when it has not subscribed to the hub', async ({ log, start }) => {
    const node = await start();
    const client = await negotiate(node, { connectionData: '[]' });
    const { C = '' } = await client.poll('connect');
    expect(C).not.toBe('');
    const poll = client.poll('poll', { messageId: C });
    await until(() => node.requests.includes('POST /poll'));
    log.raise();
    await client.post('abort');
    expect(await poll).toEqual({ C, M: [] });
  });
});

describe('/send', () => {
  test.for([
    ['without data', {}, 400],
    ['with invalid JSON', { data: '{' }, 400],
    ['without a hub request', { data: '{"H":1}' }, 400],
    ['with a state above 4 kB', { data: callWith({ S: { x: 'y'.repeat(5_000) } }) }, 400],
    ['with data above 64 kB', { data: callWith({ A: ['y'.repeat(70_000)] }) }, 413],
    ['with a form above the limit', { data: 'y'.repeat(400_000) }, 413],
    ['without an invocation id', { data: callWith({ I: undefined }) }, 200],
    ['with nearly 64 kB of data', { data: callWith({ A: ['ü'.repeat(30_000)] }) }, 200],
  ] as const)('returns the expected status %s', async ([, form, status], { start }) => {
    const client = await negotiate(await start());
    await client.poll('connect');
    const response = await client.post('send', form);
    expect(response.status).toBe(status);
  });

  test('is limited by the message rate', async ({ start }) => {
    const client = await negotiate(await start({ limits: { maxMessagesPerSecond: 2 } }));
    await client.poll('connect');
    const responses = [];
    for (let n = 0; n < 5; n += 1)
      responses.push(await (await client.post('send', { data: callWith({}) })).text());
    expect(responses.filter((text) => text.includes('Too many invocations'))).toHaveLength(1);
  });
});

function callWith(members: Record<string, unknown>): string {
  return JSON.stringify({ H: 'alarmHub', M: 'Echo', A: ['x'], I: 0, ...members });
}

test('the official client receives a burst of 500 alarms over long polling in order', async ({
  log,
  start,
}) => {
  const node = await start();
  const page = openPage(node.address);
  const connection = page.connect();
  const received: number[] = [];
  connection
    .createHubProxy('alarmHub')
    .on('onAlarm', (alarm: { id: number }) => void received.push(alarm.id));
  await connection.start({ transport: 'longPolling' });
  for (let burst = 0; burst < 10; burst += 1) {
    raiseMany(log, 50);
    await new Promise((resolve) => setTimeout(resolve, burst));
  }
  await until(() => received.length >= 500);
  expect(received).toEqual(numbers(500));
  page.close();
});

import { describe, expect } from 'vitest';
import { test } from './classic-node.fixture.ts';
import { openPage } from './jquery-client.fixture.ts';
import { cursorOf, type PlantLog } from './plant-log.fixture.ts';
import { alarmsIn, type Frame, negotiate, type RawClient, until } from './raw-client.fixture.ts';

function raiseMany(log: PlantLog, count: number, text?: string): void {
  for (let n = 0; n < count; n += 1) log.raise(text);
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Polls from `cursor` until `count` alarms have come. */
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

describe('a client that polls', () => {
  test('is told at once where it begins, and then waits for what comes', async ({ log, start }) => {
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

  test('gets all that came between two polls in one, in order', async ({ log, start }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    raiseMany(log, 100);
    const frame = await client.poll('poll', { messageId: cursorOf(0) });
    expect(frame.C).toBe(cursorOf(100));
    expect(alarmsIn([frame])).toEqual(numbers(100));
    expect(node.hub.joins.length).toBe(1);
  });

  test('gets an answer again that it did not get', async ({ log, start }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    raiseMany(log, 3);
    await client.poll('poll', { messageId: cursorOf(0) });
    log.raise();
    const again = await client.poll('reconnect', { messageId: cursorOf(0) });
    expect(alarmsIn([again])).toEqual([1, 2, 3, 4]);
    expect(node.hub.joins.map(({ cursor }) => cursor)).toEqual([undefined, cursorOf(0)]);
    expect(node.hub.members.size).toBe(1);
  });

  test('gets everything in order however much there was, and no more is kept than allowed', async ({
    log,
    start,
  }) => {
    const node = await start({ limits: { pendingBytes: 5_000 } });
    const client = await negotiate(node);
    await client.poll('connect');
    raiseMany(log, 300);
    expect(node.hub.members.size).toBe(0);
    const frames = await pollUntil(client, cursorOf(0), 300);
    expect(alarmsIn(frames)).toEqual(numbers(300));
    expect(frames.length).toBeGreaterThan(3);
    for (const frame of frames) expect(JSON.stringify(frame).length).toBeLessThan(6_000);
  });

  test('gets an alarm that is larger than all that may wait', async ({ log, start }) => {
    const client = await negotiate(await start({ limits: { pendingBytes: 1_000 } }));
    await client.poll('connect');
    raiseMany(log, 3, 'x'.repeat(2_000));
    expect(alarmsIn(await pollUntil(client, cursorOf(0), 3))).toEqual([1, 2, 3]);
  });

  test('keeps its line alive, and gets an empty answer after a while', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    const poll = client.post('poll', { messageId: cursorOf(0) });
    await until(() => node.requests.includes('POST /poll'));
    await until(() => node.hub.members.size === 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await node.pass(115_000);
    const text = await (await poll).text();
    expect(text).toMatch(/^ {10}\{/);
    expect(JSON.parse(text)).toEqual({ C: cursorOf(0), M: [] });
  });

  test('is answered with nothing on a poll that a newer one replaces', async ({ log, start }) => {
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

  test('stays for thirty seconds between polls, and goes on by its cursor after that', async ({
    log,
    start,
  }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    await node.pass(29_000);
    expect(node.hub.members.size).toBe(1);
    await node.pass(2_000);
    expect(node.hub.members.size).toBe(0);
    expect(node.context.admission.connections).toBe(0);
    log.raise();
    expect(alarmsIn([await client.poll('poll', { messageId: cursorOf(0) })])).toEqual([1]);
  });

  test('is asked to come again when the server goes down', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    const poll = client.poll('poll', { messageId: cursorOf(0) });
    await until(() => node.requests.includes('POST /poll'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const each of node.context.connections) each.close({ allowReconnect: true });
    expect(await poll).toEqual({ C: cursorOf(0), T: 1, M: [] });
  });

  test('is told on the next poll that it was shut out between two', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    await client.poll('connect');
    for (const each of node.context.connections) each.close({ error: 'locked out', allowReconnect: false });
    expect(await client.poll('poll', { messageId: cursorOf(0) })).toEqual({ E: 'locked out' });
  });

  test('goes on with a newer token when the old one has expired', async ({ log, start }) => {
    const node = await start();
    const client = await negotiate(node, { bearer: 'short-token' });
    await client.poll('connect');
    await node.pass(61_000);
    log.raise();
    expect(alarmsIn([await client.poll('poll', { messageId: cursorOf(0) })])).toEqual([1]);
  });

  test('gets the token of what the hub keeps with its next answer', async ({ log, start }) => {
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
    expect(node.hub.joins[1]).toEqual({ cursor: cursorOf(0), state: 'boilers', hasState: true });
  });

  test('is asked to try again later when the hub cannot take it in', async ({ start }) => {
    const node = await start();
    const client = await negotiate(node);
    node.hub.failNextJoin();
    expect((await client.post('connect')).status).toBe(503);
    expect((await client.poll('connect')).S).toBe(1);
  });

  test('gets nothing when it has not named the hub', async ({ log, start }) => {
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

describe('what is sent by POST', () => {
  test.for([
    ['nothing', {}, 400],
    ['no JSON', { data: '{' }, 400],
    ['no call', { data: '{"H":1}' }, 400],
    ['a state of more than four kilobytes', { data: callWith({ S: { x: 'y'.repeat(5_000) } }) }, 400],
    ['data of more than 64 kilobytes', { data: callWith({ A: ['y'.repeat(70_000)] }) }, 413],
    ['a body without end', { data: 'y'.repeat(400_000) }, 413],
    ['a call without number', { data: callWith({ I: undefined }) }, 200],
    ['data of nearly 64 kilobytes', { data: callWith({ A: ['ü'.repeat(30_000)] }) }, 200],
  ] as const)('%s', async ([, form, status], { start }) => {
    const client = await negotiate(await start());
    await client.poll('connect');
    const answer = await client.post('send', form);
    expect(answer.status).toBe(status);
  });

  test('is limited in number', async ({ start }) => {
    const client = await negotiate(await start({ limits: { messagesPerSecond: 2 } }));
    await client.poll('connect');
    const answers = [];
    for (let n = 0; n < 5; n += 1)
      answers.push(await (await client.post('send', { data: callWith({}) })).text());
    expect(answers.filter((text) => text.includes('Too many calls'))).toHaveLength(1);
  });
});

function callWith(members: Record<string, unknown>): string {
  return JSON.stringify({ H: 'alarmHub', M: 'Echo', A: ['x'], I: 0, ...members });
}

test('500 alarms in a burst reach the official client by long polling, in order', async ({ log, start }) => {
  const node = await start();
  const page = openPage(node.address);
  const connection = page.connect();
  const heard: number[] = [];
  connection.createHubProxy('alarmHub').on('onAlarm', (alarm: { id: number }) => void heard.push(alarm.id));
  await connection.start({ transport: 'longPolling' });
  for (let burst = 0; burst < 10; burst += 1) {
    raiseMany(log, 50);
    await new Promise((resolve) => setTimeout(resolve, burst));
  }
  await until(() => heard.length >= 500);
  expect(heard).toEqual(numbers(500));
  page.close();
});

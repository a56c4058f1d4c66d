import { describe, expect } from 'vitest';
import { parseHubRequest } from './hub-request.ts';
import { test } from './testing/classic-node.fixture.ts';
import { negotiate, until } from './testing/raw-client.fixture.ts';

describe('a hub request', () => {
  test('is parsed, with its id as text', () => {
    expect(parseHubRequest('{"H":"alarmHub","M":"Echo","A":[1,null],"I":0,"S":{"page":1}}')).toEqual({
      hubName: 'alarmHub',
      method: 'Echo',
      args: [1, null],
      id: '0',
    });
  });

  test.for([
    'null',
    '[]',
    '7',
    '{}',
    '{"H":"h","M":1}',
    '{"H":"h","M":"m","A":{}}',
    '{"H":"h","M":"m","I":{}}',
    `{"H":"h","M":"m","I":"${'9'.repeat(65)}"}`,
  ])('is not %s', (text) => {
    expect(parseHubRequest(text)).toBeUndefined();
  });
});

describe('over a WebSocket', () => {
  test('requests get responses in order, and those without an id get none', async ({ start }) => {
    const client = await negotiate(await start());
    const stream = client.socket();
    await until(() => stream.frames.length === 1);
    stream.send({ H: 'alarmHub', M: 'Slow', A: [30], I: 1 });
    stream.send({ H: 'alarmHub', M: 'Echo', A: ['quiet'] });
    stream.send({ H: 'ALARMHUB', M: 'ECHO', A: ['x'], I: '2' });
    await until(() => stream.frames.length === 3);
    expect(stream.frames.slice(1)).toEqual([
      { I: '1', R: 'done' },
      { I: '2', R: 'x' },
    ]);
    stream.close();
  });

  test('a member of Object.prototype is not a method', async ({ start }) => {
    const client = await negotiate(await start());
    const stream = client.socket();
    await until(() => stream.frames.length === 1);
    stream.send({ H: 'alarmHub', M: 'constructor', A: [], I: 1 });
    stream.send({ H: 'chatHub', M: 'Echo', A: [], I: 2 });
    await until(() => stream.frames.length === 3);
    expect(stream.frames.slice(1)).toEqual([
      { I: '1', E: "'constructor' method could not be resolved.", H: true },
      { I: '2', E: "'chatHub' Hub could not be resolved.", H: true },
    ]);
    stream.close();
  });

  test('an invalid message ends the connection', async ({ start }) => {
    const client = await negotiate(await start());
    const stream = client.socket();
    await until(() => stream.frames.length === 1);
    stream.send('rubbish');
    expect(await until(() => stream.ended())).toBe(1000);
    expect(stream.frames[1]).toEqual({ E: 'The message is not a hub invocation.' });
  });

  test.for([
    ['state', (deep: string) => `{"H":"alarmHub","M":"Echo","A":[],"I":1,"S":${deep}}`],
    ['an argument', (deep: string) => `{"H":"alarmHub","M":"Echo","A":[${deep}],"I":1}`],
  ] as const)('%s with 30,000 levels ends only its own connection', async ([, messageOf], { start }) => {
    const node = await start();
    const stream = (await negotiate(node)).socket();
    const neighbour = (await negotiate(node, { bearer: 'bert-token' })).socket();
    await until(() => stream.frames.length === 1 && neighbour.frames.length === 1);
    stream.send(messageOf('['.repeat(30_000) + ']'.repeat(30_000)));
    expect(await until(() => stream.ended())).toBe(1000);
    expect(stream.frames[1]).toEqual({ E: 'The message is not a hub invocation.' });
    neighbour.send({ H: 'alarmHub', M: 'Echo', A: ['here'], I: 1 });
    await until(() => neighbour.frames.length === 2);
    expect(neighbour.frames[1]).toEqual({ I: '1', R: 'here' });
    neighbour.close();
  });

  test('a message above 64 kB ends the connection', async ({ start }) => {
    const client = await negotiate(await start());
    const stream = client.socket();
    await until(() => stream.frames.length === 1);
    stream.send({ H: 'alarmHub', M: 'Nothing', A: ['x'.repeat(64_000)], I: 1 });
    await until(() => stream.frames.length === 2);
    expect(stream.frames[1]).toEqual({ I: '1' });
    stream.send({ H: 'alarmHub', M: 'Nothing', A: ['x'.repeat(65_536)], I: 2 });
    expect(await until(() => stream.ended())).toBe(1009);
  });

  test('more parallel invocations than allowed end the connection', async ({ start }) => {
    const client = await negotiate(await start({ limits: { maxParallelInvocations: 3 } }));
    const stream = client.socket();
    await until(() => stream.frames.length === 1);
    for (let id = 0; id < 4; id += 1) stream.send({ H: 'alarmHub', M: 'Slow', A: [50], I: id });
    expect(await until(() => stream.ended())).toBe(1000);
    expect(stream.frames.at(-1)).toEqual({ E: 'Too many parallel invocations.' });
  });
});

test('/send with 30,000 levels is refused and does not count as a parallel invocation', async ({ start }) => {
  const node = await start({ limits: { maxParallelInvocations: 1 } });
  const client = await negotiate(node);
  await client.poll('connect');
  const deep = '['.repeat(30_000) + ']'.repeat(30_000);
  for (const member of ['S', 'A']) {
    const data = `{"H":"alarmHub","M":"Echo","A":[],"I":1,"${member}":${deep}}`;
    expect((await client.post('send', { data })).status).toBe(400);
  }
  const data = JSON.stringify({ H: 'alarmHub', M: 'Echo', A: [1], I: 2 });
  expect(await (await client.post('send', { data })).json()).toEqual({ I: '2', R: 1 });
});

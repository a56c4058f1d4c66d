import { expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { hubServer } from '../testing/hub-server.fixture.ts';
import { get, jsonHandshake, negotiate, openSocket, post } from '../testing/raw-client.ts';

const invoke = (id: string, target: string, ...args: unknown[]) =>
  `${JSON.stringify({ type: 1, invocationId: id, target, arguments: args })}\u001e`;

test.for([
  ['invalid JSON', 'hello\u001e'],
  ['an array', '[]\u001e'],
  ['null', 'null\u001e'],
  ['no protocol', '{"version":1}\u001e'],
  ['an unknown protocol', '{"protocol":"xml","version":1}\u001e'],
  ['no version', '{"protocol":"json"}\u001e'],
  ['a version that is not a number', '{"protocol":"json","version":"1"}\u001e'],
  ['a negative version', '{"protocol":"json","version":-1}\u001e'],
  ['version 3', '{"protocol":"json","version":3}\u001e'],
  ['too many bytes', `{"protocol":"${'x'.repeat(33_000)}`],
] as const)('a handshake with %s gets an error response and is closed', async ([, text]) => {
  const { url, signalr } = await hubServer();
  const client = await openSocket(url);
  client.send(text);
  expect(await client.closed).toBe(1000);
  expect(JSON.parse(client.records[0] ?? '')).toEqual({ error: expect.stringMatching(/./) });
  expect(signalr.counts()).toMatchObject({ connections: 0, pendingHandshakes: 0 });
});

test.for([0, 1, 2])('protocol version %i is accepted', async (version) => {
  const { url } = await hubServer();
  const client = await openSocket(url);
  client.send(`{"protocol":"json","version":${version}}\u001e`);
  client.send(invoke('1', 'add', 1, 2));
  await eventually(() => client.records.length === 2);
  expect(client.records).toEqual(['{}', '{"type":3,"invocationId":"1","result":3}']);
});

test('a handshake and messages may arrive in pieces of any size', async () => {
  const { url } = await hubServer();
  const client = await openSocket(url);
  const all =
    jsonHandshake + invoke('1', 'add', 1, 2) + invoke('2', 'echo', 'é–”') + invoke('3', 'add', 3, 4);
  const bytes = Buffer.from(all);
  for (let start = 0; start < bytes.length; start += 7) client.send(bytes.subarray(start, start + 7));
  await eventually(() => client.records.length === 4);
  expect(client.messages().map(({ result }) => result)).toEqual([3, 'é–”', 7]);
});

test('handshake and messages may arrive in one frame', async () => {
  const { url } = await hubServer();
  const client = await openSocket(url);
  client.send(jsonHandshake + invoke('1', 'add', 1, 2) + invoke('2', 'add', 2, 2));
  await eventually(() => client.records.length === 3);
  expect(client.messages().map(({ result }) => result)).toEqual([3, 4]);
});

test('a binary protocol is refused on server-sent events', async () => {
  const { url } = await hubServer();
  const { at } = await negotiate(url);
  const stream = await get(at, { authorization: 'Bearer ada', accept: 'text/event-stream' });
  await post(at, '{"protocol":"messagepack","version":1}\u001e');
  expect(await stream.text()).toContain('"error"');
});

test.for([
  ['invalid JSON', 'hello\u001e'],
  ['null', 'null\u001e'],
  ['no type', '{}\u001e'],
  ['no target', '{"type":1,"arguments":[]}\u001e'],
  ['arguments that are not an array', '{"type":1,"target":"add","arguments":{}}\u001e'],
  ['a stream item without an id', '{"type":2,"item":1}\u001e'],
  [
    'an id above 256 characters',
    `{"type":1,"invocationId":"${'x'.repeat(300)}","target":"add","arguments":[]}\u001e`,
  ],
  ['more than 32 KiB', `{"type":1,"target":"echo","arguments":["${'x'.repeat(33_000)}"]}\u001e`],
  ['no separator within 32 KiB', 'x'.repeat(33_000)],
  ['65 levels', `{"type":1,"target":"echo","arguments":${'['.repeat(64)}${']'.repeat(64)}}\u001e`],
  ['16,000 levels', `{"type":2,"invocationId":"1","item":${'['.repeat(16_000)}${']'.repeat(16_000)}}\u001e`],
] as const)('a message with %s closes the connection with an error', async ([, text]) => {
  const { url } = await hubServer();
  const client = await openSocket(url);
  client.send(jsonHandshake);
  client.send(text);
  expect(await client.closed).toBe(1000);
  expect(client.messages()).toEqual([{ type: 7, error: expect.stringMatching(/./) }]);
});

test('a message of 32 KiB is accepted, and one byte more is not', async () => {
  const { url } = await hubServer();
  const frameOf = (length: number) => {
    const empty = invoke('1', 'lengthOf', '').length;
    return invoke('1', 'lengthOf', 'x'.repeat(length - empty));
  };
  expect(frameOf(32_768)).toHaveLength(32_768);
  const client = await openSocket(url);
  client.send(jsonHandshake);
  client.send(frameOf(32_768));
  await eventually(() => client.records.length === 2);
  expect(client.messages()[0]).toMatchObject({ type: 3, result: expect.any(Number) });
  client.send(frameOf(32_769));
  await client.closed;
  expect(client.messages()[1]).toMatchObject({ type: 7, error: expect.stringContaining('32768') });
});

test('a frame above the body limit closes the socket at once', async () => {
  const { url } = await hubServer({ limits: { maxRequestBodyBytes: 50_000 } });
  const client = await openSocket(url);
  client.send(jsonHandshake);
  client.send('x'.repeat(50_001));
  expect(await client.closed).toBe(1009);
});

test('an unknown message type is ignored', async () => {
  const { url } = await hubServer();
  const client = await openSocket(url);
  client.send(`${jsonHandshake}{"type":99}\u001e{"type":6}\u001e${invoke('1', 'add', 1, 1)}`);
  await eventually(() => client.records.length === 2);
  expect(client.messages()[0]).toMatchObject({ result: 2 });
});

test('an invocation without an id gets no completion, even if it fails', async () => {
  const { url } = await hubServer();
  const client = await openSocket(url);
  client.send(`${jsonHandshake}{"type":1,"target":"refuse","arguments":[]}\u001e`);
  client.send(`{"type":1,"target":"nowhere","arguments":[]}\u001e${invoke('9', 'add', 1, 1)}`);
  await eventually(() => client.records.length === 2);
  expect(client.messages()).toMatchObject([{ type: 3, invocationId: '9' }]);
});

test('invocations without streams complete in order', async () => {
  const { url } = await hubServer();
  const client = await openSocket(url);
  client.send(jsonHandshake + invoke('1', 'breakDown') + invoke('2', 'add', 1, 1));
  await eventually(() => client.records.length === 3);
  expect(client.messages().map(({ invocationId }) => invocationId)).toEqual(['1', '2']);
});

test('a streaming method needs a stream invocation, and others refuse one', async () => {
  const { url } = await hubServer();
  const client = await openSocket(url);
  client.send(
    jsonHandshake + invoke('1', 'count', 3) + invoke('2', 'add', 1, 1).replace('"type":1', '"type":4'),
  );
  await eventually(() => client.records.length === 3);
  expect(client.messages()).toMatchObject([
    { invocationId: '1', error: "'count' returns a stream" },
    { invocationId: '2', error: "'add' does not return a stream" },
  ]);
});

test('fragments count as messages for the rate limit', async () => {
  const { url } = await hubServer({ limits: { maxMessagesPerSecond: 20 } });
  const client = await openSocket(url);
  client.send(jsonHandshake);
  for (const byte of Buffer.from(invoke('1', 'echo', 'x'.repeat(100)))) client.send(Buffer.from([byte]));
  await client.closed;
  expect(client.messages()).toEqual([{ type: 7, error: 'Too many messages' }]);
});

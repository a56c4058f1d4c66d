import { connect, createServer, type Server } from 'node:net';
import { describe, expect } from 'vitest';
import type { TransportType } from '../hub/hub.ts';
import { cursorOf } from './testing/alarm-log.fixture.ts';
import { type ClassicNode, test as withNode } from './testing/classic-node.fixture.ts';
import { openPage } from './testing/jquery-client.fixture.ts';
import { alarmsIn, negotiate, onNode, type Stream, until } from './testing/raw-client.fixture.ts';

type Balanced = {
  readonly address: string;
  readonly nodes: readonly [ClassicNode, ClassicNode];
  /** The nodes that get new sockets. */
  use(nodes: readonly ClassicNode[]): void;
};

/** `test` with `balance`: two nodes behind a round-robin balancer for sockets. */
const test = withNode.extend('balance', ({ start }, { onCleanup }) => {
  let used: readonly ClassicNode[] = [];
  let turn = 0;
  const server: Server = createServer((client) => {
    turn += 1;
    const upstream = connect(used[turn % used.length]?.port ?? 0, '127.0.0.1');
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  onCleanup(() => void server.close());
  return async (): Promise<Balanced> => {
    const nodes = [await start(), await start()] as const;
    used = nodes;
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as { port: number };
    return { address: `http://127.0.0.1:${port}`, nodes, use: (some) => void (used = some) };
  };
});

const transports: TransportType[] = ['webSockets', 'serverSentEvents', 'longPolling'];
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.for(transports)('with two nodes a client over %s', (transport) => {
  test('needs no sticky sessions', async ({ log, balance }) => {
    const { address } = await balance();
    const page = openPage(address);
    for (let round = 1; round <= 4; round += 1) {
      const connection = page.connect();
      const received: number[] = [];
      const proxy = connection.createHubProxy('alarmHub');
      proxy.on('onAlarm', (alarm: { id: number }) => void received.push(alarm.id));
      await connection.start({ transport });
      const id = log.raise();
      await until(() => received.length > 0);
      expect(await proxy.invoke('echo', round)).toBe(round);
      expect(received).toEqual([id]);
      connection.stop();
    }
    page.close();
  });

  test('continues on the other node without a gap when its node is killed', async ({ log, balance }) => {
    const { address, nodes, use } = await balance();
    const [first, second] = nodes;
    use([first]);
    const page = openPage(address);
    const connection = page.connect();
    const received: number[] = [];
    const proxy = connection.createHubProxy('alarmHub');
    proxy.on('onAlarm', (alarm: { id: number }) => void received.push(alarm.id));
    await connection.start({ transport });
    await proxy.invoke('keep', 'boilers');
    await until(() => connection.groupsToken);
    for (let n = 0; n < 10; n += 1) log.raise();
    await until(() => received.length >= 10);
    use([second]);
    await first.kill();
    for (let n = 0; n < 10; n += 1) log.raise();
    await until(() => received.length >= 20);
    log.raise();
    await until(() => received.length >= 21);
    expect(received).toEqual(numbers(21));
    expect(await proxy.invoke('whoAmI')).toBe('anna');
    expect(second.hub.connects[0]?.state).toBe('boilers');
    page.close();
  });
});

test('polls and sends are forwarded to the node that owns the connection', async ({ log, start }) => {
  const [first, second] = [await start(), await start()];
  const there = await negotiate(first);
  const here = onNode(second, there);
  expect((await here.poll('connect')).S).toBe(1);
  log.raise();
  expect(alarmsIn([await here.poll('poll', { messageId: cursorOf(0) })])).toEqual([1]);
  expect(second.hub.connects).toEqual([]);
  expect(first.hub.connects).toHaveLength(1);
  const data = '{"H":"alarmHub","M":"WhoAmI","A":[],"I":1}';
  expect(await (await here.post('send', { data })).json()).toEqual({ I: '1', R: 'anna' });
  await here.post('abort');
  expect(first.hub.connections.size).toBe(0);
  expect(second.context.counters.forwarded).toBe(4);
});

test('a WebSocket is accepted by any node', async ({ log, start }) => {
  const [first, second] = [await start(), await start()];
  const there = await negotiate(first);
  const stream = onNode(second, there).socket();
  await until(() => stream.frames.length === 1);
  log.raise();
  await until(() => stream.frames.length === 2);
  expect([first.hub.connections.size, second.hub.connections.size]).toEqual([0, 1]);
  expect(second.context.counters.adopted).toBe(1);
  stream.close();
});

test('a /send is served by any node when the owner is gone', async ({ start }) => {
  const [first, second] = [await start(), await start()];
  const there = await negotiate(first);
  await first.kill();
  const data = '{"H":"alarmHub","M":"WhoAmI","A":[],"I":1}';
  const response = await onNode(second, there).post('send', { data });
  expect(await response.json()).toEqual({ I: '1', R: 'anna' });
  expect(second.hub.connects).toEqual([]);
});

test('the latest state wins, on whichever node it was stored', async ({ start }) => {
  const [first, second] = [await start(), await start()];
  const there = await negotiate(first);
  const here = onNode(second, there);
  const keep = async (stream: Stream, state: string) => {
    await until(() => stream.frames.length > 0);
    stream.send({ H: 'alarmHub', M: 'Keep', A: [state], I: 1 });
    const groupsToken = await until(() => stream.frames.find(({ G }) => G !== undefined)?.G);
    stream.close();
    return { messageId: cursorOf(0), groupsToken };
  };
  const boilers = await keep(there.socket(), 'boilers');
  const pumps = await keep(here.socket('reconnect', { ...boilers, messageId: 'unknown' }), 'pumps');
  const back = there.socket('reconnect', pumps);
  await until(() => first.hub.connects.length === 2);
  expect(second.hub.connects[0]?.state).toBe('boilers');
  expect(first.hub.connects[1]?.state).toBe('pumps');
  back.close();
});

import { connect, createServer, type Server } from 'node:net';
import { describe, expect } from 'vitest';
import type { Transport } from '../hub.ts';
import { type ClassicNode, test as withNode } from './classic-node.fixture.ts';
import { openPage } from './jquery-client.fixture.ts';
import { cursorOf } from './plant-log.fixture.ts';
import { alarmsIn, elsewhere, negotiate, type Stream, until } from './raw-client.fixture.ts';

type Balanced = {
  readonly address: string;
  readonly nodes: readonly [ClassicNode, ClassicNode];
  /** Who gets lines from now on. */
  use(nodes: readonly ClassicNode[]): void;
};

/** `test` with `balance`: two nodes behind a balancer that gives each line to the next of them. */
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

const transports: Transport[] = ['webSockets', 'serverSentEvents', 'longPolling'];
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.for(transports)('with two nodes a client over %s', (transport) => {
  test('need not come to the same one twice', async ({ log, balance }) => {
    const { address } = await balance();
    const page = openPage(address);
    for (let round = 1; round <= 4; round += 1) {
      const connection = page.connect();
      const heard: number[] = [];
      const proxy = connection.createHubProxy('alarmHub');
      proxy.on('onAlarm', (alarm: { id: number }) => void heard.push(alarm.id));
      await connection.start({ transport });
      const id = log.raise();
      await until(() => heard.length > 0);
      expect(await proxy.invoke('echo', round)).toBe(round);
      expect(heard).toEqual([id]);
      connection.stop();
    }
    page.close();
  });

  test('goes on at the other, missing nothing, when its own is killed', async ({ log, balance }) => {
    const { address, nodes, use } = await balance();
    const [first, second] = nodes;
    use([first]);
    const page = openPage(address);
    const connection = page.connect();
    const heard: number[] = [];
    const proxy = connection.createHubProxy('alarmHub');
    proxy.on('onAlarm', (alarm: { id: number }) => void heard.push(alarm.id));
    await connection.start({ transport });
    await proxy.invoke('keep', 'boilers');
    await until(() => connection.groupsToken);
    for (let n = 0; n < 10; n += 1) log.raise();
    await until(() => heard.length >= 10);
    use([second]);
    await first.kill();
    for (let n = 0; n < 10; n += 1) log.raise();
    await until(() => heard.length >= 20);
    log.raise();
    await until(() => heard.length >= 21);
    expect(heard).toEqual(numbers(21));
    expect(await proxy.invoke('whoAmI')).toBe('anna');
    expect(second.hub.joins[0]?.state).toBe('boilers');
    page.close();
  });
});

test('polls and sends of a connection go to the node that has it', async ({ log, start }) => {
  const [first, second] = [await start(), await start()];
  const there = await negotiate(first);
  const here = elsewhere(second, there);
  expect((await here.poll('connect')).S).toBe(1);
  log.raise();
  expect(alarmsIn([await here.poll('poll', { messageId: cursorOf(0) })])).toEqual([1]);
  expect(second.hub.joins).toEqual([]);
  expect(first.hub.joins).toHaveLength(1);
  const data = '{"H":"alarmHub","M":"WhoAmI","A":[],"I":1}';
  expect(await (await here.post('send', { data })).json()).toEqual({ I: '1', R: 'anna' });
  await here.post('abort');
  expect(first.hub.members.size).toBe(0);
  expect(second.context.counters.forwarded).toBe(4);
});

test('a WebSocket is served where it comes to', async ({ log, start }) => {
  const [first, second] = [await start(), await start()];
  const there = await negotiate(first);
  const stream = elsewhere(second, there).socket();
  await until(() => stream.frames.length === 1);
  log.raise();
  await until(() => stream.frames.length === 2);
  expect([first.hub.members.size, second.hub.members.size]).toEqual([0, 1]);
  expect(second.context.counters.adopted).toBe(1);
  stream.close();
});

test('a call for a connection whose node is gone is served where it comes to', async ({ start }) => {
  const [first, second] = [await start(), await start()];
  const there = await negotiate(first);
  await first.kill();
  const data = '{"H":"alarmHub","M":"WhoAmI","A":[],"I":1}';
  const answer = await elsewhere(second, there).post('send', { data });
  expect(await answer.json()).toEqual({ I: '1', R: 'anna' });
  expect(second.hub.joins).toEqual([]);
});

test('what was kept last counts, on whatever node that was', async ({ start }) => {
  const [first, second] = [await start(), await start()];
  const there = await negotiate(first);
  const here = elsewhere(second, there);
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
  await until(() => first.hub.joins.length === 2);
  expect(second.hub.joins[0]?.state).toBe('boilers');
  expect(first.hub.joins[1]?.state).toBe('pumps');
  back.close();
});

import type { HubConnection as Client } from '@microsoft/signalr';
import { Subject } from '@microsoft/signalr';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { type HubServer, startHubServer } from '../testing/hub-server.fixture.ts';
import { buildClient, type ClientOptions } from '../testing/official-client.ts';
import { nextAlarm } from '../testing/watch-hub.ts';

type Way = Required<Pick<ClientOptions, 'transport' | 'protocol'>> & { negotiation: 'v1' | 'v0' | 'none' };

const ways: Way[] = (['WebSockets', 'ServerSentEvents', 'LongPolling'] as const).flatMap((transport) =>
  (['json', 'messagepack'] as const)
    // The official client refuses bytes on an event stream by itself.
    .filter((protocol) => transport !== 'ServerSentEvents' || protocol === 'json')
    .flatMap((protocol) =>
      (['v1', 'v0', 'none'] as const)
        .filter((negotiation) => transport === 'WebSockets' || negotiation !== 'none')
        .map((negotiation) => ({ transport, protocol, negotiation })),
    ),
);
const waysWithToken = ways.flatMap((way) =>
  (['header', 'query'] as const).map((tokenIn) => Object.assign({ tokenIn }, way)),
);

let server: HubServer;
beforeAll(async () => {
  server = await startHubServer();
});
afterAll(() => server.stop());

const urlOf = ({ negotiation }: Way) =>
  `${server.url}${negotiation === 'v0' ? '?negotiateVersion=0' : '?x=1'}`;

function clientFor(way: Way, tokenIn: 'header' | 'query' | 'nowhere'): Client {
  const url = tokenIn === 'query' ? `${urlOf(way)}&access_token=ada` : urlOf(way);
  return buildClient(url, {
    ...way,
    skipNegotiation: way.negotiation === 'none',
    ...(tokenIn === 'header' ? { token: 'ada' } : {}),
  });
}

test('all ways are tried', () => {
  expect(ways).toHaveLength(12);
});

test.for(ways)(
  'without a token nobody comes in: $transport, $protocol, negotiation $negotiation',
  async (way) => {
    const before = server.signalr.counts().opened;
    await expect(clientFor(way, 'nowhere').start()).rejects.toThrow(
      way.negotiation === 'none' ? /401|WebSocket failed to connect|Unexpected server response/ : /401/,
    );
    expect(server.signalr.counts().opened).toBe(before);
  },
);

describe.for(waysWithToken)('$transport, $protocol, negotiation $negotiation, token in $tokenIn', (way) => {
  let client: Client;
  const got: { id: number; message: string }[] = [];
  beforeAll(async () => {
    client = clientFor(way, way.tokenIn);
    client.on('onAlarm', (alarm: { id: number; message: string }) => void got.push(alarm));
    await client.start();
  });

  test('an alarm is pushed, each once and in order', async () => {
    const sent = Array.from({ length: 20 }, () => nextAlarm());
    for (const { message } of sent) server.hub.push(message);
    await eventually(() => got.length >= sent.length, 'all alarms');
    expect(got.map(({ id }) => id)).toEqual(sent.map(({ number }) => number));
    expect(got[0]?.message).toBe('Pressure “high” – 12 bar');
  });

  test('a method answers, whatever the case of its name', async () => {
    expect(await client.invoke('Add', 19, 23)).toBe(42);
    expect(await client.invoke('WHOAMI')).toBe('ada');
    const value = { text: 'été', list: [1, null, true], deep: { empty: {} } };
    expect(await client.invoke('echo', value)).toEqual(value);
    expect(await client.invoke('echo', null)).toBe(null);
  });

  test('a method may answer nothing, and need not be waited for', async () => {
    expect(await client.invoke('doNothing')).toBeFalsy();
    await client.send('doNothing');
    expect(await client.invoke('add', 1, 1)).toBe(2);
  });

  test('an error is told only if it is meant for the client', async () => {
    await expect(client.invoke('refuse')).rejects.toThrow('The gate is shut');
    await expect(client.invoke('breakDown')).rejects.toThrow("An unexpected error occurred in 'breakDown'");
    await expect(client.invoke('unserialisable')).rejects.toThrow(/An unexpected error|big/i);
  });

  test('a method that is not there is said so', async () => {
    await expect(client.invoke('toString')).rejects.toThrow("Unknown hub method 'toString'");
    await expect(client.invoke('__proto__')).rejects.toThrow('Unknown hub method');
  });

  test('a stream comes whole', async () => {
    const items = await new Promise<number[]>((resolve, reject) => {
      const all: number[] = [];
      client.stream<number>('count', 200).subscribe({
        next: (item) => void all.push(item),
        complete: () => resolve(all),
        error: reject,
      });
    });
    expect(items).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });

  test('a stream ends when the client has had enough', async () => {
    const items: number[] = [];
    const subscription = client.stream<number>('tick').subscribe({
      next: (item) => void items.push(item),
      complete: () => undefined,
      error: () => undefined,
    });
    await eventually(() => items.length >= 3);
    subscription.dispose();
    await eventually(() => server.hub.openStreams.count === 0, 'the end of the stream');
    expect(items.slice(0, 3)).toEqual([1, 2, 3]);
  });

  test('a client sends a stream', async () => {
    const numbers = new Subject<number>();
    const sum = client.invoke<number>('sum', numbers);
    for (let number = 1; number <= 30; number += 1) numbers.next(number);
    numbers.complete();
    expect(await sum).toBe(465);
  });

  test('a message of nearly 32 KiB passes', async () => {
    expect(await client.invoke('lengthOf', 'x'.repeat(32_600))).toBe(32_600);
  });

  test('a client that stops leaves nothing behind', async () => {
    const id = await client.invoke<string>('connectionId');
    await client.stop();
    await eventually(() => server.hub.left.includes(id), 'its leave');
    expect([...server.signalr.connections()].map((connection) => connection.id)).not.toContain(id);
  });
});

test('when all are gone, nothing is left', async () => {
  await eventually(() => server.signalr.counts().connections === 0, 'no connections');
  expect(server.signalr.counts()).toMatchObject({ withoutHandshake: 0, tooSlow: 0 });
  const { opened, closed } = server.signalr.counts();
  expect(closed).toBe(opened);
});

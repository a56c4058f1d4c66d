import type { HubConnection as Client } from '@microsoft/signalr';
import { Subject } from '@microsoft/signalr';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { type HubServer, startHubServer } from '../testing/hub-server.fixture.ts';
import { buildClient, type ClientOptions } from '../testing/official-client.ts';
import { nextAlarm } from '../testing/test-hub.ts';

type Combination = Required<Pick<ClientOptions, 'transport' | 'protocol'>> & {
  negotiation: 'v1' | 'v0' | 'none';
};

const combinations: Combination[] = (['WebSockets', 'ServerSentEvents', 'LongPolling'] as const).flatMap(
  (transport) =>
    (['json', 'messagepack'] as const)
      // The official client itself refuses binary protocols on server-sent events.
      .filter((protocol) => transport !== 'ServerSentEvents' || protocol === 'json')
      .flatMap((protocol) =>
        (['v1', 'v0', 'none'] as const)
          .filter((negotiation) => transport === 'WebSockets' || negotiation !== 'none')
          .map((negotiation) => ({ transport, protocol, negotiation })),
      ),
);
const combinationsWithToken = combinations.flatMap((combination) =>
  (['header', 'query'] as const).map((tokenIn) => Object.assign({ tokenIn }, combination)),
);

let server: HubServer;
beforeAll(async () => {
  server = await startHubServer();
});
afterAll(() => server.stop());

const urlOf = ({ negotiation }: Combination) =>
  `${server.url}${negotiation === 'v0' ? '?negotiateVersion=0' : '?x=1'}`;

function clientFor(combination: Combination, tokenIn: 'header' | 'query' | 'nowhere'): Client {
  const url = tokenIn === 'query' ? `${urlOf(combination)}&access_token=ada` : urlOf(combination);
  return buildClient(url, {
    ...combination,
    skipNegotiation: combination.negotiation === 'none',
    ...(tokenIn === 'header' ? { token: 'ada' } : {}),
  });
}

test('all combinations are tested', () => {
  expect(combinations).toHaveLength(12);
});

test.for(combinations)(
  'a connection without a token is refused: $transport, $protocol, negotiation $negotiation',
  async (combination) => {
    const before = server.signalr.counts().opened;
    await expect(clientFor(combination, 'nowhere').start()).rejects.toThrow(
      combination.negotiation === 'none'
        ? /401|WebSocket failed to connect|Unexpected server response/
        : /401/,
    );
    expect(server.signalr.counts().opened).toBe(before);
  },
);

describe.for(combinationsWithToken)(
  '$transport, $protocol, negotiation $negotiation, token in $tokenIn',
  (combination) => {
    let client: Client;
    const got: { id: number; message: string }[] = [];
    beforeAll(async () => {
      client = clientFor(combination, combination.tokenIn);
      client.on('onAlarm', (alarm: { id: number; message: string }) => void got.push(alarm));
      await client.start();
    });

    test('alarms arrive once and in order', async () => {
      const sent = Array.from({ length: 20 }, () => nextAlarm());
      for (const { message } of sent) server.hub.push(message);
      await eventually(() => got.length >= sent.length, 'all alarms');
      expect(got.map(({ id }) => id)).toEqual(sent.map(({ number }) => number));
      expect(got[0]?.message).toBe('Pressure “high” – 12 bar');
    });

    test('a method returns its result, and its name is case-insensitive', async () => {
      expect(await client.invoke('Add', 19, 23)).toBe(42);
      expect(await client.invoke('WHOAMI')).toBe('ada');
      const value = { text: 'été', list: [1, null, true], deep: { empty: {} } };
      expect(await client.invoke('echo', value)).toEqual(value);
      expect(await client.invoke('echo', null)).toBe(null);
    });

    test('a method may return undefined, and may be sent without waiting', async () => {
      expect(await client.invoke('doNothing')).toBeFalsy();
      await client.send('doNothing');
      expect(await client.invoke('add', 1, 1)).toBe(2);
    });

    test('only the message of a HubError reaches the client', async () => {
      await expect(client.invoke('refuse')).rejects.toThrow('The door is locked');
      await expect(client.invoke('breakDown')).rejects.toThrow("An unexpected error occurred in 'breakDown'");
      await expect(client.invoke('unserialisable')).rejects.toThrow(/An unexpected error|big/i);
    });

    test('an unknown method is an error', async () => {
      await expect(client.invoke('toString')).rejects.toThrow("Unknown hub method 'toString'");
      await expect(client.invoke('__proto__')).rejects.toThrow('Unknown hub method');
    });

    test('a server stream arrives completely', async () => {
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

    test('a server stream ends when the client cancels it', async () => {
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

    test('a client stream reaches its method', async () => {
      const numbers = new Subject<number>();
      const sum = client.invoke<number>('sum', numbers);
      for (let number = 1; number <= 30; number += 1) numbers.next(number);
      numbers.complete();
      expect(await sum).toBe(465);
    });

    test('a message of nearly 32 KiB is accepted', async () => {
      expect(await client.invoke('lengthOf', 'x'.repeat(32_600))).toBe(32_600);
    });

    test('a client that stops is disconnected from the hub', async () => {
      const id = await client.invoke<string>('connectionId');
      await client.stop();
      await eventually(() => server.hub.disconnected.includes(id), 'its leave');
      expect([...server.signalr.connections()].map((connection) => connection.id)).not.toContain(id);
    });
  },
);

test('no connection remains after all clients have stopped', async () => {
  await eventually(() => server.signalr.counts().connections === 0, 'no connections');
  expect(server.signalr.counts()).toMatchObject({ pendingHandshakes: 0, tooSlow: 0 });
  const { opened, closed } = server.signalr.counts();
  expect(closed).toBe(opened);
});

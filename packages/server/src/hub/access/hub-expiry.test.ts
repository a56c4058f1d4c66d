import { setTimeout as sleep } from 'node:timers/promises';
import { HttpTransportType, HubConnectionState } from '@microsoft/signalr';
import { pino } from 'pino';
import { expect, onTestFinished } from 'vitest';
import {
  type ClassicTransport,
  listenClassic,
} from '../../../../../acceptance/harness/hub/classic-client.ts';
import { openDatabase } from '../../postgres/database.ts';
import type { RunningServer } from '../../serve.ts';
import { joinToken, signedBy, splitToken } from '../../testing/forge-token.ts';
import { testBox } from '../../testing/test-box.ts';
import { addUser, type Caller, listen, test } from '../testing/hub.fixture.ts';

const lifeSeconds = 5;
/** How long after its token has expired a connection may stay open. */
const graceMs = 5_000;

type Receiver = { received(): number; isEnded(): boolean };

const core =
  (transport: HttpTransportType) =>
  async (server: RunningServer, token: string): Promise<Receiver> => {
    const listener = await listen(server, token, transport);
    await listener.subscribe({ changes: true, calls: true, sounds: true });
    return {
      received: () => listener.alarms.length + listener.changes.length + listener.sounds.length,
      isEnded: () => listener.connection.state === HubConnectionState.Disconnected,
    };
  };

const classic =
  (transport: ClassicTransport) =>
  async ({ url }: RunningServer, token: string): Promise<Receiver> => {
    const listener = await listenClassic(url, token, transport);
    onTestFinished(listener.stop);
    await listener.invoke('subscribe', { changes: true, calls: true, sounds: true });
    return { received: () => listener.heard.length, isEnded: listener.isEnded };
  };

const families = {
  'Core, WebSockets': core(HttpTransportType.WebSockets),
  'Core, server-sent events': core(HttpTransportType.ServerSentEvents),
  'Core, long polling': core(HttpTransportType.LongPolling),
  'classic, WebSockets': classic('webSockets'),
  'classic, server-sent events': classic('serverSentEvents'),
  'classic, long polling': classic('longPolling'),
};

/** The caller's token, changed to expire soon. */
async function withEarlyExpiry(
  databaseUrl: string,
  { token }: Caller,
): Promise<{ short: string; endsAt: number }> {
  const database = openDatabase({ url: databaseUrl, connections: 1 });
  const { ownKey, header, payload } = await splitToken(
    { database, log: pino({ level: 'silent' }), box: testBox },
    token,
  );
  await database.close();
  const exp = Math.ceil(Date.now() / 1_000) + lifeSeconds;
  const parts = { header, payload: { ...payload, exp }, signature: signedBy(ownKey) };
  return { short: joinToken(parts), endsAt: exp * 1_000 };
}

test('once the access token has expired nothing is delivered on any transport, and the connection is closed', async ({
  site,
  server,
  admin,
}) => {
  const guard = await addUser(server, admin, { username: 'guard' });
  const { short, endsAt } = await withEarlyExpiry(site.databaseUrl, guard);
  const receivers = await Promise.all(
    Object.entries(families).map(async ([name, open]) => ({ name, receiver: await open(server, short) })),
  );
  const siren = { type: 'PlaySound', parameter: 'siren.wav' };
  let raised = 0;
  const raiseUntil = async (moment: number) => {
    while (Date.now() < moment) {
      raised += 1;
      await admin.raise(`pump/${raised}`, { alarmActions: [siren] });
      await sleep(100);
    }
  };
  await raiseUntil(endsAt - 500);
  for (const { name, receiver } of receivers)
    expect(receiver.received(), `${name} receives`).toBeGreaterThan(raised);
  await raiseUntil(endsAt + graceMs);
  const atTheEnd = receivers.map(({ name, receiver }) => ({
    name,
    received: receiver.received(),
    isEnded: receiver.isEnded(),
  }));
  for (const { name, isEnded } of atTheEnd) expect(isEnded, name).toBe(true);
  await raiseUntil(endsAt + graceMs + 1_500);
  expect(
    receivers.map(({ name, receiver }) => ({
      name,
      received: receiver.received(),
      isEnded: receiver.isEnded(),
    })),
  ).toEqual(atTheEnd);
});

import { type Frame, negotiate, type RawClient } from '@tocsin/signalr/testing';
import { expect } from 'vitest';
import { type Caller, test } from '../testing/hub.fixture.ts';

type PushedCall = { M: string; A: [{ path?: string; seq?: number; alarm?: { path: string } }] };

/** Paths of the alarms in these frames, in order. */
const alarmsIn = (frames: readonly Frame[]) =>
  frames.flatMap(({ M = [] }) =>
    (M as unknown as PushedCall[]).filter(({ M }) => M === 'onAlarm').map(({ A }) => A[0].path),
  );

const changesIn = (frames: readonly Frame[]) =>
  frames.flatMap(({ M = [] }) =>
    (M as unknown as PushedCall[]).filter(({ M }) => M === 'onAlarmChanged').map(({ A }) => A[0].alarm?.path),
  );

/** A client that polls, and its first position. */
async function connect(server: { url: string }, admin: Caller) {
  const client = await negotiate({ address: server.url }, { bearer: admin.token });
  const { C: start = '' } = await client.poll('connect');
  const call = async (method: string, ...args: unknown[]) => {
    const data = JSON.stringify({ H: 'alarmHub', M: method, A: args, I: 1 });
    const { E: error } = (await (await client.post('send', { data })).json()) as Frame;
    if (error !== undefined) throw new Error(error);
  };
  return { client, start, call };
}

type Position = { messageId: string; groupsToken?: string };

/** Reconnects at a position and polls until the expected number of calls has arrived. */
async function reconnect(client: RawClient, position: Position, calls: number): Promise<Frame[]> {
  const frames = [await client.poll('reconnect', position)];
  while (frames.flatMap(({ M = [] }) => M).length < calls) {
    const messageId = frames.at(-1)?.C ?? '';
    frames.push(await client.poll('poll', { ...position, messageId }));
  }
  return frames;
}

/** Polls, and throws the answer away as if it were lost. */
const losePoll = (client: RawClient, messageId: string) => client.poll('poll', { messageId });

test('a client that subscribes after an answer was lost still gets its alarms', async ({ server, admin }) => {
  const { client, start, call } = await connect(server, admin);
  await admin.raise('pump/1');
  await admin.raise('pump/2');
  await losePoll(client, start);
  await call('subscribe', { alarmState: 3 });
  const again = await reconnect(client, { messageId: start }, 2);
  expect(alarmsIn(again)).toEqual(['pump/1', 'pump/2']);
});

test('lost entries from before a change of the filter are matched by the old filter', async ({
  server,
  admin,
}) => {
  const dataServerId = await admin.post<number>('/dataservers', { name: 'Gateway' });
  const { client, start, call } = await connect(server, admin);
  await admin.raise('pump/1');
  await losePoll(client, start);
  await call('subscribe', { dataServerId });
  await admin.raise('pump/2');
  await admin.raise('fan/2', { dataServerId });
  await losePoll(client, start);
  const again = await reconnect(client, { messageId: start }, 2);
  expect(alarmsIn(again)).toEqual(['pump/1', 'fan/2']);
});

test('entries that the old filter excluded are not pushed later, when the filter becomes wider', async ({
  server,
  admin,
}) => {
  const dataServerId = await admin.post<number>('/dataservers', { name: 'Gateway' });
  const { client, start, call } = await connect(server, admin);
  await call('subscribe', { dataServerId });
  await admin.raise('pump/1');
  await admin.raise('fan/1', { dataServerId });
  await losePoll(client, start);
  await call('subscribe');
  await admin.raise('pump/2');
  const again = await reconnect(client, { messageId: start }, 2);
  expect(alarmsIn(again)).toEqual(['fan/1', 'pump/2']);
});

test('a client that resumes from an earlier position and loses the answer gets all of it again', async ({
  server,
  admin,
}) => {
  const { client, start, call } = await connect(server, admin);
  await admin.raise('pump/1');
  await admin.raise('pump/2');
  const { C: here = '' } = await client.poll('poll', { messageId: start });
  await call('resume', Number(start));
  await losePoll(client, here);
  const again = await reconnect(client, { messageId: here }, 2);
  expect(changesIn(again)).toEqual(['pump/1', 'pump/2']);
});

test('a filter that is too long for the kept state is refused, and the client continues', async ({
  server,
  admin,
}) => {
  const { client, start, call } = await connect(server, admin);
  await expect(call('subscribe', { search: '\u0001'.repeat(1_024) })).rejects.toThrow(/filter.search/);
  await call('subscribe', { search: 'ü'.repeat(1_024) });
  await call('subscribe', { search: 'pump' });
  await admin.raise('pump/1');
  const again = await reconnect(client, { messageId: start }, 1);
  expect(alarmsIn(again)).toEqual(['pump/1']);
});

test('a client that has its kept state continues at its position, and gets nothing twice', async ({
  server,
  admin,
}) => {
  const { client, start, call } = await connect(server, admin);
  await admin.raise('pump/1');
  const { C: here = '' } = await client.poll('poll', { messageId: start });
  await call('resume', Number(start));
  const frames: Frame[] = [];
  while (changesIn(frames).length === 0) {
    frames.push(await client.poll('poll', { messageId: frames.at(-1)?.C ?? here }));
  }
  const groupsToken = frames.findLast(({ G }) => G !== undefined)?.G ?? '';
  await admin.raise('pump/2');
  const again = await reconnect(client, { messageId: frames.at(-1)?.C ?? '', groupsToken }, 2);
  expect(changesIn(again)).toEqual(['pump/2']);
});

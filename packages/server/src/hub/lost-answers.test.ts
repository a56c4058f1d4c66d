import { type Frame, negotiate, type RawClient } from '@tocsin/signalr/testing';
import { expect } from 'vitest';
import { type Caller, test } from './hub.fixture.ts';

type Told = { M: string; A: [{ path?: string; seq?: number; alarm?: { path: string } }] };

/** Paths of the alarms that were announced in these answers, in order. */
const alarmsIn = (frames: readonly Frame[]) =>
  frames.flatMap(({ M = [] }) =>
    (M as unknown as Told[]).filter(({ M }) => M === 'onAlarm').map(({ A }) => A[0].path),
  );

const changesIn = (frames: readonly Frame[]) =>
  frames.flatMap(({ M = [] }) =>
    (M as unknown as Told[]).filter(({ M }) => M === 'onAlarmChanged').map(({ A }) => A[0].alarm?.path),
  );

/** A client that polls, at the place where its connection begins. */
async function connect(server: { url: string }, admin: Caller) {
  const client = await negotiate({ address: server.url }, { bearer: admin.token });
  const { C: begun = '' } = await client.poll('connect');
  const call = async (method: string, ...args: unknown[]) => {
    const data = JSON.stringify({ H: 'alarmHub', M: method, A: args, I: 1 });
    const { E: error } = (await (await client.post('send', { data })).json()) as Frame;
    if (error !== undefined) throw new Error(error);
  };
  return { client, begun, call };
}

type Place = { messageId: string; groupsToken?: string };

/** What a client that comes back at a place is given, until there are as many calls as expected. */
async function comeBack(client: RawClient, place: Place, calls: number): Promise<Frame[]> {
  const frames = [await client.poll('reconnect', place)];
  while (frames.flatMap(({ M = [] }) => M).length < calls) {
    const messageId = frames.at(-1)?.C ?? '';
    frames.push(await client.poll('poll', { ...place, messageId }));
  }
  return frames;
}

/** An answer that the client never sees. */
const losePoll = (client: RawClient, messageId: string) => client.poll('poll', { messageId });

test('who subscribes after an answer was lost still gets the alarms that were in it', async ({
  server,
  admin,
}) => {
  const { client, begun, call } = await connect(server, admin);
  await admin.raise('pump/1');
  await admin.raise('pump/2');
  await losePoll(client, begun);
  await call('subscribe', { alarmState: 3 });
  const again = await comeBack(client, { messageId: begun }, 2);
  expect(alarmsIn(again)).toEqual(['pump/1', 'pump/2']);
});

test('what was pushed before a filter held is judged by the filter before it', async ({ server, admin }) => {
  const dataServerId = await admin.post<number>('/dataservers', { name: 'Gateway' });
  const { client, begun, call } = await connect(server, admin);
  await admin.raise('pump/1');
  await losePoll(client, begun);
  await call('subscribe', { dataServerId });
  await admin.raise('pump/2');
  await admin.raise('fan/2', { dataServerId });
  await losePoll(client, begun);
  const again = await comeBack(client, { messageId: begun }, 2);
  expect(alarmsIn(again)).toEqual(['pump/1', 'fan/2']);
});

test('what nobody had asked for then is not pushed later, when the filter becomes wider', async ({
  server,
  admin,
}) => {
  const dataServerId = await admin.post<number>('/dataservers', { name: 'Gateway' });
  const { client, begun, call } = await connect(server, admin);
  await call('subscribe', { dataServerId });
  await admin.raise('pump/1');
  await admin.raise('fan/1', { dataServerId });
  await losePoll(client, begun);
  await call('subscribe');
  await admin.raise('pump/2');
  const again = await comeBack(client, { messageId: begun }, 2);
  expect(alarmsIn(again)).toEqual(['fan/1', 'pump/2']);
});

test('who resumes from an earlier place and loses the answer gets it all again', async ({
  server,
  admin,
}) => {
  const { client, begun, call } = await connect(server, admin);
  await admin.raise('pump/1');
  await admin.raise('pump/2');
  const { C: here = '' } = await client.poll('poll', { messageId: begun });
  await call('resume', Number(begun));
  await losePoll(client, here);
  const again = await comeBack(client, { messageId: here }, 2);
  expect(changesIn(again)).toEqual(['pump/1', 'pump/2']);
});

test('a filter that is too long to be kept is refused, and the client goes on as before', async ({
  server,
  admin,
}) => {
  const { client, begun, call } = await connect(server, admin);
  await expect(call('subscribe', { search: '\u0001'.repeat(1_024) })).rejects.toThrow(/filter.search/);
  await call('subscribe', { search: 'ü'.repeat(1_024) });
  await call('subscribe', { search: 'pump' });
  await admin.raise('pump/1');
  const again = await comeBack(client, { messageId: begun }, 1);
  expect(alarmsIn(again)).toEqual(['pump/1']);
});

test('who has what was kept for it goes on at its place, and is told nothing twice', async ({
  server,
  admin,
}) => {
  const { client, begun, call } = await connect(server, admin);
  await admin.raise('pump/1');
  const { C: here = '' } = await client.poll('poll', { messageId: begun });
  await call('resume', Number(begun));
  const frames: Frame[] = [];
  while (changesIn(frames).length === 0) {
    frames.push(await client.poll('poll', { messageId: frames.at(-1)?.C ?? here }));
  }
  const groupsToken = frames.findLast(({ G }) => G !== undefined)?.G ?? '';
  await admin.raise('pump/2');
  const again = await comeBack(client, { messageId: frames.at(-1)?.C ?? '', groupsToken }, 2);
  expect(changesIn(again)).toEqual(['pump/2']);
});

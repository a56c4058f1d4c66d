import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listenClassic } from '../harness/hub-classic-client.ts';
import { openConsole } from '../harness/hub-console.ts';
import { type Nats, startNats } from '../harness/hub-nats.ts';
import { allowedMs } from '../harness/judged-times.ts';
import { type OnCallPlant, openOnCallPlant } from '../harness/on-call/on-call-plant.ts';
import { granted, type Page, raise, read } from '../harness/plant.ts';
import { type Server, startServer } from '../harness/server.ts';

/** One server answers the interface and calls people, another has the consoles. */
let nats: Nats;
let plant: OnCallPlant;
let hub: Server;

const startHub = (more: Record<string, string> = {}) =>
  startServer({
    databaseUrl: plant.databaseUrl,
    environment: {
      DRAIN_MS: '0',
      ROLES: 'hub',
      NATS_URL: nats.url,
      SECRETS_KEY_FILE: plant.secretsKeyFile,
      ...more,
    },
  });

beforeAll(async () => {
  nats = await startNats();
  plant = await openOnCallPlant({ ROLES: 'api,dispatch', NATS_URL: nats.url });
  hub = await startHub();
});
afterAll(async () => {
  await hub.stop();
  await plant.close();
  await nats.stop();
});

const siren = { type: 'PlaySound', parameter: 'siren.wav' };
const alarm = (groupId: number, path: string) =>
  raise(plant.client, { path, alarmActions: [{ type: 'CallGroup', id: groupId }, siren] });

/** Ada's telephone rings, is picked up, and its keys take the alarm. Answers what came when, after the company knew. */
async function followCall(path: string) {
  const screen = await openConsole(hub.baseUrl, plant.client.token ?? '');
  const ada = await plant.hire('Ada', { phone: { kind: 'answers', afterMs: 1_000, press: 'code' } });
  const raisedMs = Date.now();
  const alarmId = await alarm(await plant.group([ada], { ackTimeout: 60 }), path);
  // The alarm is taken first, which ends the call, and then it is written down whose answer that was.
  const ends = expect.arrayContaining(['closed', 'acknowledged']) as string[];
  await expect.poll(() => screen.kinds(alarmId), { timeout: 15_000 }).toEqual(ends);
  await screen.stop();
  const lines = plant.log.lines.filter(({ to }) => to === ada.phone);
  const atCompany = (event: string) => Date.parse(lines.find((line) => line.event === event)?.at ?? '');
  const told = (kind: string) =>
    screen.calls.find(({ argument }) => argument.kind === kind && argument.call.alarmId === alarmId);
  return {
    alarmId,
    kinds: screen.kinds(alarmId),
    closed: told('closed')?.argument,
    ringMs: (told('accepted')?.atMs ?? 0) - atCompany('accepted'),
    closeMs: (told('closed')?.atMs ?? 0) - atCompany('pressed'),
    soundMs: (screen.sounds[0]?.atMs ?? 0) - raisedMs,
    sounds: screen.sounds.map(({ argument }) => argument),
  };
}

test('consoles at one server follow a call that another makes, from the ring to the keys that take the alarm', async () => {
  const withNats = await followCall('with NATS');
  await nats.stop();
  const without = await followCall('without NATS');
  await nats.start();
  for (const { alarmId, kinds, closed, sounds } of [withNats, without]) {
    expect(kinds.slice(0, 2)).toEqual(['calling', 'accepted']);
    expect(closed).toMatchObject({ call: { alarmId, closedReason: 'acknowledged' } });
    expect(sounds).toMatchObject([{ alarmId, name: 'siren.wav', occasion: 'raised' }]);
  }
  const shown = ({ ringMs, closeMs, soundMs }: typeof without) =>
    `ring ${ringMs} ms, end ${closeMs} ms, sound ${soundMs} ms`;
  console.log(`with NATS: ${shown(withNats)}; without: ${shown(without)}`);
  for (const ms of [without.ringMs, without.closeMs, without.soundMs])
    expect(ms).toBeLessThan(allowedMs(2_000));
});

test('a console whose server dies comes back, reads the calls in progress, and is told how they end', async () => {
  type Calls = Page<{ alarmId: number; attempts: { user: string; status: string }[] }>;
  const reads: Calls[] = [];
  const screen = await openConsole(hub.baseUrl, plant.client.token ?? '', async () => {
    reads.push(await read<Calls>(plant.client, 'calls'));
  });
  onTestFinished(() => screen.stop());
  const grace = await plant.hire('Grace');
  const groupId = await plant.group([grace], { ackTimeout: 60 });
  const alarmId = await alarm(groupId, 'before the loss');
  await expect.poll(() => screen.kinds(alarmId)).toEqual(['calling', 'accepted']);

  const { port } = new URL(hub.baseUrl);
  await hub.kill();
  const missedId = await alarm(groupId, 'during the loss');
  await plant.log.until(({ event, to }) => event === 'accepted' && to === grace.phone, { count: 2 });
  hub = await startHub({ PORT: port });
  await expect.poll(() => reads.length, { timeout: 20_000 }).toBe(2);
  expect(reads[1]?.items.find((item) => item.alarmId === missedId)).toMatchObject({
    attempts: [{ user: 'Grace', status: 'Calling' }],
  });
  expect(screen.kinds(missedId), 'what was missed is read, not replayed').toEqual([]);
  expect(screen.sounds.map(({ argument }) => argument.alarmId)).toEqual([alarmId]);

  for (const id of [alarmId, missedId])
    granted(await plant.client.post(`/api/v1/alarms/${id}/acknowledge`, {}));
  await expect.poll(() => screen.kinds(missedId)).toContain('closed');
  await expect.poll(() => screen.kinds(alarmId)).toContain('closed');
});

test.for(['webSockets', 'serverSentEvents', 'longPolling'] as const)(
  'a classic client that asks is told of calls and sounds too: %s',
  async (transport) => {
    const listener = await listenClassic(hub.baseUrl, plant.client.token ?? '', transport);
    onTestFinished(listener.stop);
    await listener.invoke('subscribe', { calls: true, sounds: true });
    const ada = await plant.hire('Ada');
    const alarmId = await alarm(await plant.group([ada], { ackTimeout: 60 }), `classic ${transport}`);
    type Told = { kind?: string; alarmId?: number; call?: { alarmId: number } };
    const heard = () =>
      listener.heard
        .map(({ callback, argument }) => ({ callback, told: argument as Told }))
        .filter(({ told }) => (told.call?.alarmId ?? told.alarmId) === alarmId)
        .map(({ callback, told }) => `${callback} ${told.kind ?? ''}`.trim());
    await expect
      .poll(() => heard().toSorted(), { timeout: 10_000 })
      .toEqual(['onCallChanged accepted', 'onCallChanged calling', 'onPlaySound']);
    await plant.client.post(`/api/v1/alarms/${alarmId}/acknowledge`, {});
    await expect.poll(heard).toContain('onCallChanged closed');
  },
);

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listenClassic } from '../harness/hub/classic-client.ts';
import { openConsole } from '../harness/hub/console.ts';
import { type Nats, startNats } from '../harness/hub/nats.ts';
import { allowedMs } from '../harness/judged-times.ts';
import { type OnCallPlant, openOnCallPlant } from '../harness/on-call/on-call-plant.ts';
import { granted, type Page, raise, read } from '../harness/plant.ts';
import { type Server, startServer } from '../harness/server.ts';

/** One server has the API and the dispatcher, the other one the consoles. */
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

/** Ada picks up and presses the code. Returns the delays of the messages after the events at the phone company. */
async function followCall(path: string) {
  const screen = await openConsole(hub.baseUrl, plant.client.token ?? '');
  const ada = await plant.hire('Ada', { phone: { kind: 'answers', afterMs: 3_000, press: 'code' } });
  const raisedMs = Date.now();
  const alarmId = await alarm(await plant.group([ada], { ackTimeout: 60 }), path);
  // The acknowledgment ends the call before the answer is recorded.
  const ends = expect.arrayContaining(['closed', 'acknowledged']) as string[];
  await expect.poll(() => screen.kinds(alarmId), { timeout: 15_000 }).toEqual(ends);
  await screen.stop();
  const lines = plant.log.lines.filter(({ to }) => to === ada.phone);
  const atCompany = (event: string) => Date.parse(lines.find((line) => line.event === event)?.at ?? '');
  const messageOf = (...kinds: string[]) =>
    screen.calls.find(({ argument }) => kinds.includes(argument.kind) && argument.call.alarmId === alarmId);
  return {
    alarmId,
    kinds: screen.kinds(alarmId),
    closed: messageOf('closed')?.argument,
    ringMs: (messageOf('accepted', 'ringing')?.atMs ?? 0) - atCompany('accepted'),
    closeMs: (messageOf('closed')?.atMs ?? 0) - atCompany('pressed'),
    soundMs: (screen.sounds[0]?.atMs ?? 0) - raisedMs,
    sounds: screen.sounds.map(({ argument }) => argument),
  };
}

test('consoles of one server receive all events of a call that another server makes', async () => {
  const withNats = await followCall('with NATS');
  await nats.stop();
  const without = await followCall('without NATS');
  await nats.start();
  for (const { alarmId, kinds, closed, sounds } of [withNats, without]) {
    // The report that it rings may overtake the answer to the order.
    expect(kinds[0]).toBe('calling');
    expect(['accepted', 'ringing']).toContain(kinds[1]);
    expect(closed).toMatchObject({ call: { alarmId, closedReason: 'acknowledged' } });
    expect(sounds).toMatchObject([{ alarmId, name: 'siren.wav', occasion: 'raised' }]);
  }
  const shown = ({ ringMs, closeMs, soundMs }: typeof without) =>
    `ring ${ringMs} ms, end ${closeMs} ms, sound ${soundMs} ms`;
  console.log(`with NATS: ${shown(withNats)}; without: ${shown(without)}`);
  for (const ms of [without.ringMs, without.closeMs, without.soundMs])
    expect(ms).toBeLessThan(allowedMs(2_000));
});

test('a console whose server dies reconnects, reads the calls in progress, and receives their end', async () => {
  type Calls = Page<{ alarmId: number; attempts: { user: string; status: string }[] }>;
  const reads: Calls[] = [];
  const screen = await openConsole(hub.baseUrl, plant.client.token ?? '', async () => {
    reads.push(await read<Calls>(plant.client, 'calls'));
  });
  onTestFinished(() => screen.stop());
  const grace = await plant.hire('Grace');
  const edith = await plant.hire('Edith');
  const alarmId = await alarm(await plant.group([grace], { ackTimeout: 60 }), 'before the loss');
  await expect.poll(() => screen.kinds(alarmId)).toEqual(['calling', 'accepted']);

  const { port } = new URL(hub.baseUrl);
  await hub.kill();
  // Somebody else, because the telephone of the first one rings.
  const missedId = await alarm(await plant.group([edith], { ackTimeout: 60 }), 'during the loss');
  await plant.log.until(({ event, to }) => event === 'accepted' && to === edith.phone);
  hub = await startHub({ PORT: port });
  await expect.poll(() => reads.length, { timeout: 20_000 }).toBe(2);
  expect(reads[1]?.items.find((item) => item.alarmId === missedId)).toMatchObject({
    attempts: [{ user: 'Edith', status: 'Calling' }],
  });
  expect(screen.kinds(missedId), 'what was missed is read, not replayed').toEqual([]);
  expect(screen.sounds.map(({ argument }) => argument.alarmId)).toEqual([alarmId]);

  for (const id of [alarmId, missedId])
    granted(await plant.client.post(`/api/v1/alarms/${id}/acknowledge`, {}));
  await expect.poll(() => screen.kinds(missedId)).toContain('closed');
  await expect.poll(() => screen.kinds(alarmId)).toContain('closed');
});

test.for(['webSockets', 'serverSentEvents', 'longPolling'] as const)(
  'a classic client can subscribe to calls and sounds: %s',
  async (transport) => {
    const listener = await listenClassic(hub.baseUrl, plant.client.token ?? '', transport);
    onTestFinished(listener.stop);
    await listener.invoke('subscribe', { calls: true, sounds: true });
    const ada = await plant.hire('Ada');
    const alarmId = await alarm(await plant.group([ada], { ackTimeout: 60 }), `classic ${transport}`);
    type Message = { kind?: string; alarmId?: number; call?: { alarmId: number } };
    const heard = () =>
      listener.heard
        .map(({ callback, argument }) => ({ callback, message: argument as Message }))
        .filter(({ message }) => (message.call?.alarmId ?? message.alarmId) === alarmId)
        .map(({ callback, message }) => `${callback} ${message.kind ?? ''}`.trim());
    await expect
      .poll(() => heard().toSorted(), { timeout: 10_000 })
      .toEqual(['onCallChanged accepted', 'onCallChanged calling', 'onPlaySound']);
    await plant.client.post(`/api/v1/alarms/${alarmId}/acknowledge`, {});
    await expect.poll(heard).toContain('onCallChanged closed');
  },
);

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { correlation } from '@tocsin/server/testing';
import { test as base } from 'vitest';
import { create, raise } from '../harness/plant.ts';
import { addVoiceServer, openVoicePlant, type VoicePlant } from '../harness/sip/voice-plant.ts';

/** The stories run side by side, because they wait most of the time. */
const story = base
  .extend('openedPlant', { scope: 'file' }, () => openVoicePlant())
  .extend('plant', { scope: 'file' }, ({ openedPlant }, { onCleanup }) => {
    onCleanup(() => openedPlant.close());
    return openedPlant;
  })
  .extend('openedPair', { scope: 'file' }, async () => {
    const first = await openVoicePlant();
    return { ...first, second: await addVoiceServer(first) };
  })
  .extend('pair', { scope: 'file' }, ({ openedPair }, { onCleanup }) => {
    onCleanup(async () => {
      await openedPair.second.stop();
      await openedPair.close();
    });
    return openedPair;
  });

/** Ada hears two of three alarms, takes these, and hangs up before the third is said. */
async function threeAlarms(plant: VoicePlant) {
  const ada = await plant.hire('Ada', { answersAfterMs: 3_000 });
  const alarms: number[] = [];
  for (let number = 0; number < 3; number += 1) {
    alarms.push(await plant.alarm([ada]));
    await sleep(2_000);
  }
  await ada.phone.until('CALL_ESTABLISHED', 1, 20_000);
  await sleep(12_000);
  await ada.phone.press('3');
  await sleep(7_000);
  await ada.phone.press('1');
  await sleep(1_500);
  await ada.phone.hangUp();
  await ada.phone.until('CALL_CLOSED', 1, 20_000);
  const states = async () => Promise.all(alarms.map(async (id) => (await plant.alarmOf(id)).ackUser));
  return { ada, alarms, states };
}

for (const [servers, name] of [
  ['one server', 'plant'],
  ['two servers', 'pair'],
] as const)
  story.concurrent(
    `three alarms in five seconds are one call of ${servers}, and only what was heard is taken`,
    async ({ plant, pair, expect }) => {
      const site = name === 'plant' ? plant : pair;
      const { ada, alarms, states } = await threeAlarms(site);
      await expect.poll(states, { timeout: 10_000 }).toEqual(['Ada', 'Ada', '']);
      // The alarm that was not said follows in a call of its own, at once.
      await ada.phone.until('CALL_ESTABLISHED', 2, 20_000);
      expect(site.exchange.callsTo(ada.number)).toBe(2);
      await sleep(2_000);
      await ada.phone.press('1');
      await expect.poll(states, { timeout: 15_000 }).toEqual(['Ada', 'Ada', 'Ada']);
      await ada.phone.until('CALL_CLOSED', 2, 20_000);
      expect(site.exchange.callsTo(ada.number)).toBe(2);
      const history = await site.history(ada);
      expect(history.map(({ alarmId }) => alarmId).toSorted((one, other) => one - other)).toEqual(alarms);
      expect(history.map(({ status }) => status)).toEqual(alarms.map(() => 'Acknowledged'));
    },
  );

story.concurrent(
  'a server that is killed during calls loses no escalation, and no phone rings on for nobody',
  async ({ onTestFinished }) => {
    const plant = await openVoicePlant();
    onTestFinished(() => plant.close());
    const listening = await plant.hire('Ada');
    const ringing = await plant.hire('Ben', { answersAfterMs: 'never' });
    const quick = { ackTimeout: 15 };
    await plant.alarm([listening], {}, quick);
    await plant.alarm([ringing], {}, quick);
    await listening.phone.until('CALL_ESTABLISHED', 1, 20_000);
    await ringing.phone.until('CALL_INCOMING', 1, 20_000);
    process.kill(plant.pid, 'SIGKILL');
    const survivor = await addVoiceServer(plant, plant.callFolder);
    onTestFinished(async () => void (await survivor.stop()));
    // The left-over processes of the dead server are ended by the next one, and both phones are called again.
    await listening.phone.until('CALL_CLOSED', 1, 20_000);
    await ringing.phone.until('CALL_CLOSED', 1, 20_000);
    await listening.phone.until('CALL_INCOMING', 2, 60_000);
    await ringing.phone.until('CALL_INCOMING', 2, 60_000);
  },
);

/** Stores a recording in the media library. Returns its file. */
async function record({ client, callFolder }: VoicePlant, name: string): Promise<string> {
  const file = join(callFolder, name);
  execFileSync('sox', ['-n', '-r', '8000', '-b', '16', file, 'synth', '2', 'sine', '300:1500', 'vol', '0.5']);
  const content = readFileSync(file).toString('base64');
  await create(client, 'mediafiles', { name, contentType: 'audio/wav', content });
  return file;
}

story.concurrent(
  'an alarm that joins a call is played with its recording, and a tag that was heard does not ring again at once',
  async ({ plant, expect }) => {
    const ada = await plant.hire('Ada', { answersAfterMs: 3_000 });
    const siren = await record(plant, 'siren.wav');
    const chattering = { path: 'voice/chattering', priority: 2, alarmMessage: 'The level is low' };
    const alarmId = await plant.alarm([ada], chattering);
    await sleep(1_500);
    await plant.alarm([ada], { priority: 2, alarmVocalMessageFile: 'siren.wav' });
    await ada.phone.until('CALL_ESTABLISHED', 1, 20_000);
    await sleep(12_000);
    await ada.phone.press('3');
    await sleep(7_000);
    await ada.phone.hangUp();
    await ada.phone.until('CALL_CLOSED', 1, 20_000);
    const [heard = ''] = await ada.phone.recordings();
    expect(await correlation(siren, heard)).toBeGreaterThan(0.9);

    await raise(plant.client, { path: chattering.path, raised: false });
    await raise(plant.client, { path: chattering.path, raised: true });
    const reasons = async () => (await plant.timeline(alarmId)).map(({ detail }) => detail);
    const reason = /^called about this tag \d+ seconds? ago, waits until \d\d:\d\d$/;
    await expect.poll(reasons).toContainEqual(expect.stringMatching(reason));
    await sleep(5_000);
    expect(plant.exchange.callsTo(ada.number)).toBe(1);
    await raise(plant.client, { path: chattering.path, raised: false });
    await raise(plant.client, { path: chattering.path, raised: true, priority: 1 });
    await ada.phone.until('CALL_INCOMING', 2, 20_000);
  },
);

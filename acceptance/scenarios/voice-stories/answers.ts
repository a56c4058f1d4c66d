import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { correlationWith } from '@tocsin/server/testing';
import { granted } from '../../harness/plant.ts';
import type { Person, VoicePlant } from '../../harness/sip/voice-plant.ts';
import { pressesOne, story, takenBy } from '../../harness/sip/voice-story.ts';

const nothingTaken = 'Ben Delivered: calling accepted ringing answered answered';

async function givePin({ client }: VoicePlant, { id }: Person): Promise<void> {
  const { status } = await client.send('PUT', `/api/v1/users/${id}/pin`, { body: { pin: '4711' } });
  if (status !== 204) throw new Error(`the PIN was answered with ${status}`);
}

/** The answers in the timeline of an alarm, judged. */
const judgements = async (plant: VoicePlant, alarmId: number) =>
  (await plant.timeline(alarmId)).flatMap(({ answer }) => (answer ? [answer.judgement] : []));

/** What people hear and press. */
export function tellAnswerStories(): void {
  // The longest story starts first.
  story.concurrent(
    'somebody who answers and presses nothing is asked three times, and has taken nothing',
    async ({ plant, expect }) => {
      const ben = await plant.hire('Ben');
      const alarmId = await plant.alarm([ben], { alarmMessage: 'Fire' });
      await ben.phone.until('CALL_CLOSED', 1, 100_000);
      const [heard = ''] = await ben.phone.recordings();
      expect(await correlationWith('To take the alarm, press 1.', heard)).toBeGreaterThan(0.9);
      // Three times the alarm, the keys and six seconds of waiting; 16,000 bytes are one second.
      expect((await stat(heard)).size).toBeGreaterThan(40 * 16_000);
      expect(await plant.alarmOf(alarmId)).toMatchObject({ state: 3 });
      await expect.poll(() => plant.shown(alarmId)).toEqual([nothingTaken]);
      await plant.acknowledge(alarmId);
    },
  );

  story.concurrent(
    'a person is called, hears the alarm, presses 1 and hears that it is theirs',
    async ({ plant, expect }) => {
      const message = 'Pump 7 leaks in the north hall';
      const ada = await plant.hire('Ada');
      const alarmId = await plant.alarm([ada], { alarmMessage: message });
      await ada.phone.until('CALL_ESTABLISHED', 1, 30_000);
      await sleep(8_000);
      await ada.phone.press('1');
      await ada.phone.until('CALL_CLOSED', 1, 20_000);
      expect(await plant.alarmOf(alarmId)).toMatchObject({ ackUser: 'Ada' });
      const [heard = ''] = await ada.phone.recordings();
      expect(await correlationWith(message, heard)).toBeGreaterThan(0.9);
      expect(await correlationWith('You have taken the alarm. Thank you.', heard)).toBeGreaterThan(0.9);
      expect(await correlationWith('The boiler of line 4 is too hot', heard)).toBeLessThan(0.5);
      await expect.poll(() => plant.shown(alarmId)).toEqual([takenBy('Ada'), 'ended: acknowledged']);
      expect(plant.exchange.callsTo(ada.number)).toBe(1);
    },
  );

  story.concurrent('a call on request is heard to its end', async ({ plant, expect }) => {
    const ada = await plant.hire('Ada');
    const msgText = 'Come to the gate, the fire brigade is waiting for the key of hall 3';
    granted(await plant.client.post('/api/v1/call/users', { userIds: [ada.id], msgText }));
    await ada.phone.until('CALL_ESTABLISHED', 1, 30_000);
    // Twice as long as both sentences take.
    await sleep(15_000);
    await ada.phone.press('1');
    await ada.phone.until('CALL_CLOSED', 1, 20_000);
    const [heard = ''] = await ada.phone.recordings();
    for (const sentence of [msgText, 'To confirm that you have got this call, press 1.'])
      expect(await correlationWith(sentence, heard), sentence).toBeGreaterThan(0.9);
    expect(plant.exchange.callsTo(ada.number)).toBe(1);
  });

  for (const by of ['rtp', 'info'] as const)
    story.concurrent(`keys are understood that a phone sends by ${by}`, async ({ plant, expect }) => {
      const ada = await plant.hireScripted('Ada', { kind: 'answers', keys: '1', by });
      const alarmId = await plant.alarm([ada]);
      await expect.poll(() => plant.alarmOf(alarmId), { timeout: 30_000 }).toMatchObject({ ackUser: 'Ada' });
      await expect.poll(ada.phone.messages, { timeout: 20_000 }).toMatch(/\nBYE /);
    });

  story.concurrent('a person presses 2, and the next one is called at once', async ({ plant, expect }) => {
    const ben = await plant.hire('Ben', { keys: [{ key: '2', afterMs: 1_000 }] });
    const ada = await plant.hire('Ada', pressesOne);
    // Without the key Ada would be called after 100 seconds.
    const alarmId = await plant.alarm([ben, ada]);
    await expect
      .poll(() => plant.shown(alarmId), { timeout: 60_000 })
      .toEqual([
        'Ben Rejected: calling accepted ringing answered declined declined',
        takenBy('Ada'),
        'ended: acknowledged',
      ]);
  });

  story.concurrent(
    'a second alarm joins the call that goes on, and 1 takes both',
    async ({ plant, expect }) => {
      const ada = await plant.hire('Ada');
      const first = await plant.alarm([ada]);
      await ada.phone.until('CALL_ESTABLISHED', 1, 30_000);
      const second = await plant.alarm([ada]);
      await sleep(12_000);
      // To the next alarm, and then all that were said.
      await ada.phone.press('3');
      await sleep(7_000);
      await ada.phone.press('1');
      await ada.phone.until('CALL_CLOSED', 1, 30_000);
      expect(await plant.alarmOf(first)).toMatchObject({ ackUser: 'Ada' });
      expect(await plant.alarmOf(second)).toMatchObject({ ackUser: 'Ada' });
      expect(plant.exchange.callsTo(ada.number)).toBe(1);
    },
  );

  story.concurrent('a test call of the channel is heard to its end', async ({ plant, expect }) => {
    const ada = await plant.hire('Ada');
    const { items } = granted<{ items: { id: number }[] }>(await plant.client.get('/api/v1/channels'));
    const tested = await plant.client.post(`/api/v1/channels/${items[0]?.id}/test`, { address: ada.number });
    expect(granted(tested)).toMatchObject({ works: true, outcome: 'accepted' });
    await ada.phone.until('CALL_CLOSED', 1, 40_000);
    const [heard = ''] = await ada.phone.recordings();
    expect(await correlationWith('This is a test message. Nothing is wrong.', heard)).toBeGreaterThan(0.9);
  });

  story.concurrent(
    'a wrong PIN takes nothing, the right one takes the alarm',
    async ({ pinPlant, expect }) => {
      const ada = await pinPlant.hire('Ada');
      await givePin(pinPlant, ada);
      const alarmId = await pinPlant.alarm([ada]);
      await ada.phone.until('CALL_ESTABLISHED', 1, 30_000);
      await sleep(1_000);
      await ada.phone.press('1');
      await ada.phone.press('9999#');
      await expect.poll(() => judgements(pinPlant, alarmId)).toEqual(['wrong']);
      expect(await pinPlant.shown(alarmId)).toEqual(['Ada Delivered: calling accepted ringing answered']);
      expect(await pinPlant.alarmOf(alarmId)).toMatchObject({ state: 3 });
      await sleep(3_000);
      await ada.phone.press('4711#');
      await expect
        .poll(() => pinPlant.shown(alarmId), { timeout: 20_000 })
        .toEqual([takenBy('Ada'), 'ended: acknowledged']);
      expect(await judgements(pinPlant, alarmId)).toEqual(['wrong', 'accepted']);
    },
  );

  story.concurrent(
    'a voice mail that plays tones takes no alarm where a PIN is asked',
    async ({ pinPlant, expect }) => {
      const tones = Array.from('1111111#111#1#1111#', (key, place) => ({ key, afterMs: 800 + place * 500 }));
      const ben = await pinPlant.hire('Ben', { keys: tones });
      await givePin(pinPlant, ben);
      const alarmId = await pinPlant.alarm([ben]);
      await ben.phone.until('CALL_CLOSED', 1, 60_000);
      await expect.poll(() => pinPlant.shown(alarmId)).toEqual([nothingTaken]);
      expect(await judgements(pinPlant, alarmId)).toEqual(['wrong', 'wrong', 'wrong']);
      expect(await pinPlant.alarmOf(alarmId)).toMatchObject({ state: 3 });
      await pinPlant.acknowledge(alarmId);
    },
  );
}

import { setTimeout as sleep } from 'node:timers/promises';
import { correlationWith } from '@tocsin/server/testing';
import { pressesOne, story, takenBy } from '../../harness/sip/voice-story.ts';

const rejections = [
  ['is busy', '486 Busy Here', 'Busy: calling accepted ringing busy'],
  ['is declined', '603 Decline', 'Rejected (declined): calling accepted ringing refused'],
  ['is switched off', '480 Temporarily Unavailable', 'NoAnswer: calling accepted ringing no-answer'],
  ['does not exist', '404 Not Found', 'Failed (no such number (SIP 404)): calling accepted ringing failed'],
  [
    'cannot be served',
    '503 Service Unavailable',
    'Failed (the telephone system answered SIP 503): calling accepted ringing failed',
  ],
] as const;
/** What becomes of a call, in the words of history, timeline and hub. */
export function tellOutcomeStories(): void {
  for (const [what, status, shown] of rejections)
    story.concurrent(
      `a phone that ${what} is shown so everywhere, and the next person is called`,
      async ({ plant, expect }) => {
        const ben = await plant.hireScripted('Ben', { kind: 'rejects', status });
        const ada = await plant.hire('Ada', pressesOne);
        const alarmId = await plant.alarm([ben, ada], {}, { ackTimeout: 5 });
        await expect
          .poll(() => plant.shown(alarmId), { timeout: 60_000 })
          .toEqual([`Ben ${shown}`, takenBy('Ada'), 'ended: acknowledged']);
        expect(await plant.alarmOf(alarmId)).toMatchObject({ ackUser: 'Ada' });
      },
    );

  story.concurrent(
    'a phone whose call nobody answers at all fails after 5 seconds, and the next person is called',
    async ({ plant, expect }) => {
      const ben = await plant.hireScripted('Ben', { kind: 'is silent' });
      const ada = await plant.hire('Ada', pressesOne);
      const alarmId = await plant.alarm([ben, ada]);
      const failed = 'Ben Failed (the telephone system does not answer): calling failed';
      await expect
        .poll(() => plant.shown(alarmId), { timeout: 60_000 })
        .toEqual([failed, takenBy('Ada'), 'ended: acknowledged']);
    },
  );

  story.concurrent(
    'a phone that rings for ever is given up, and rings no longer',
    async ({ plant, expect }) => {
      const ben = await plant.hireScripted('Ben', { kind: 'rings for ever' });
      const alarmId = await plant.alarm([ben]);
      const unanswered = 'Ben NoAnswer: calling accepted ringing no-answer';
      await expect.poll(() => plant.shown(alarmId), { timeout: 30_000 }).toEqual([unanswered]);
      await expect.poll(ben.phone.messages).toMatch(/\nCANCEL /);
      await plant.acknowledge(alarmId);
      await expect.poll(() => plant.shown(alarmId)).toEqual([unanswered, 'ended: acknowledged']);
    },
  );

  story.concurrent(
    'a phone that dies in the call is noticed, and its call is over',
    async ({ plant, expect }) => {
      const ben = await plant.hire('Ben');
      const alarmId = await plant.alarm([ben]);
      await ben.phone.until('CALL_ESTABLISHED', 1, 30_000);
      await sleep(1_000);
      await ben.phone.die();
      await expect
        .poll(() => plant.shown(alarmId), { timeout: 80_000 })
        .toEqual(['Ben Delivered (lost): calling accepted ringing answered answered']);
      expect(await plant.alarmOf(alarmId)).toMatchObject({ state: 3 });
      await plant.acknowledge(alarmId);
    },
  );

  story.concurrent(
    'when somebody else takes the alarm, one who listens is told, and a ringing phone rings no longer',
    async ({ plant, expect }) => {
      const ben = await plant.hire('Ben');
      const cid = await plant.hire('Cid', { answersAfterMs: 'never' });
      const alarmId = await plant.alarm([ben, cid], {}, { mode: 'Broadcast' });
      await Promise.all([
        ben.phone.until('CALL_ESTABLISHED', 1, 30_000),
        cid.phone.until('CALL_INCOMING', 1, 30_000),
      ]);
      await plant.acknowledge(alarmId);
      await Promise.all([
        ben.phone.until('CALL_CLOSED', 1, 20_000),
        cid.phone.until('CALL_CLOSED', 1, 20_000),
      ]);
      const [heard = ''] = await ben.phone.recordings();
      const { ackUser } = await plant.alarmOf(alarmId);
      const told = `The alarm was taken by ${ackUser}. Goodbye.`;
      expect(await correlationWith(told, heard)).toBeGreaterThan(0.9);
      await expect
        .poll(() => plant.shown(alarmId))
        .toEqual([
          'Ben Delivered: calling accepted ringing answered answered',
          'Cid Cancelled: calling accepted ringing cancelled',
          'ended: acknowledged',
        ]);
    },
  );
}

import { allowedMs } from '../../harness/judged-times.ts';
import { startSippPhone } from '../../harness/sip/sipp-phone.ts';
import { pressesOne, story, takenBy } from '../../harness/sip/voice-story.ts';

const silent = 'Ada Failed (the telephone system does not answer): calling failed';

/** Trunks that fail. */
export function tellTrunkStories(): void {
  story.concurrent(
    'a trunk that answers nothing is left after 5 seconds, one that answers 503 at once, and the third one calls',
    async ({ plants: { trunks }, expect, onTestFinished }) => {
      const ada = await trunks.hire('Ada', pressesOne);
      const refusing = await startSippPhone({
        kind: 'rejects',
        status: '503 Service Unavailable',
        rings: false,
      });
      onTestFinished(refusing.stop);
      trunks.second.connect(ada.number, refusing.port);
      const alarmId = await trunks.alarm([ada], {}, { attempts: 3 });
      await ada.phone.until('CALL_INCOMING', 1, 60_000);
      const calledMs = performance.now();
      await expect
        .poll(() => trunks.shown(alarmId), { timeout: 30_000 })
        .toEqual([
          silent,
          'Ada Failed (the telephone system answered SIP 503): calling failed',
          takenBy('Ada'),
          'ended: acknowledged',
        ]);
      const [first] = trunks.silent.unanswered;
      const last = trunks.silent.unanswered.at(-1);
      const passedMs = calledMs - (first?.atMs ?? 0);
      expect(passedMs).toBeGreaterThan(4_500);
      expect(passedMs).toBeLessThan(allowedMs(10_000));
      // A process that went on repeating its INVITE could make a phone ring for nobody.
      expect(last).toMatchObject({ callId: first?.callId, number: ada.number });
      expect((last?.atMs ?? 0) - (first?.atMs ?? 0)).toBeLessThan(5_500);
    },
  );

  story.concurrent(
    'when the only trunk answers nothing, the call is shown as failed, and is tried again until it works',
    async ({ plants: { silentPlant: plant }, expect }) => {
      const ada = await plant.hire('Ada', pressesOne);
      const alarmId = await plant.alarm([ada], {}, { attempts: 2 });
      await expect.poll(() => plant.shown(alarmId), { timeout: 30_000 }).toEqual([silent]);
      expect(await plant.alarmOf(alarmId)).toMatchObject({ state: 3 });
      plant.exchange.setSilent(false);
      await expect
        .poll(() => plant.shown(alarmId), { timeout: 60_000 })
        .toEqual([silent, takenBy('Ada'), 'ended: acknowledged']);
      expect(plant.exchange.callsTo(ada.number)).toBe(1);
    },
  );
}

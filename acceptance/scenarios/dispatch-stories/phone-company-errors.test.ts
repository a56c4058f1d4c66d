import { expect } from 'vitest';
import { allowedMs } from '../../harness/judged-times.ts';
import { secondsBetween, story } from '../../harness/on-call/story.ts';

// Sequential, because a failed call counts against the channel that all calls share.

const pauseSeconds = 4;
const serverError = { kind: 'errors', status: 500 } as const;
const tooManyRequests = { kind: 'errors', status: 429, retryAfterSeconds: pauseSeconds } as const;

for (const phone of [serverError, tooManyRequests]) {
  story(
    `a call that the phone company answers with HTTP ${phone.status} is followed by a text`,
    async ({ scene }) => {
      const ada = await scene.hire('Ada', { phone, mobile: { kind: 'receives' } });
      await scene.alarm(await scene.group([ada], { ackTimeout: 60, attempts: 2 }));
      const [message] = await scene.log.until(({ event, to }) => event === 'accepted' && to === ada.mobile);
      const tried = scene.log.lines.find(({ to }) => to === ada.phone);
      expect(1_000 * secondsBetween(tried, message)).toBeLessThan(allowedMs(5_000));
    },
  );
}

const nextCall = { ackTimeout: 60, attempts: 1 };

story('after HTTP 500 of the phone company the next person is called at once', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada', { phone: serverError }), await scene.hire('Grace')];
  await scene.alarm(await scene.group([ada, grace], nextCall));
  const [call] = await scene.untilCalled(grace);
  const tried = scene.log.lines.find(({ to }) => to === ada.phone);
  expect(1_000 * secondsBetween(tried, call)).toBeLessThan(allowedMs(5_000));
});

story('after HTTP 429 the next person is called when the pause is over', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada', { phone: tooManyRequests }), await scene.hire('Grace')];
  await scene.alarm(await scene.group([ada, grace], nextCall));
  const [call] = await scene.untilCalled(grace);
  const tried = scene.log.lines.find(({ to }) => to === ada.phone);
  const waited = secondsBetween(tried, call);
  expect(waited).toBeGreaterThan(pauseSeconds - 0.5);
  expect(1_000 * (waited - pauseSeconds)).toBeLessThan(allowedMs(5_000));
});

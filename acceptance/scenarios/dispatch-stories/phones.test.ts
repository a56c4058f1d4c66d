import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { allowedMs } from '../../harness/judged-times.ts';
import { secondsBetween, story } from '../../harness/on-call/story.ts';
import type { Behaviour } from '../../harness/phone-company/protocol.ts';

const text = { kind: 'receives' } as const;

/** Results of a call after which the same person gets a text at once. */
const unreachable: [string, Behaviour][] = [
  ['busy', { kind: 'busy' }],
  ['refused by a hand', { kind: 'refuses' }],
  ['not picked up', { kind: 'silent' }],
  ['a number that does not exist', { kind: 'errors', status: 404 }],
];

for (const [what, phone] of unreachable) {
  story.concurrent(`a call that is ${what} is followed by a text to the same person`, async ({ scene }) => {
    const ada = await scene.hire('Ada', { phone, mobile: text });
    await scene.alarm(await scene.group([ada], { ackTimeout: 60, attempts: 2 }));
    const [message] = await scene.log.until(({ event, to }) => event === 'accepted' && to === ada.mobile);
    const tried = scene.log.lines.find(({ to }) => to === ada.phone);
    expect(1_000 * secondsBetween(tried, message)).toBeLessThan(allowedMs(5_000));
  });
}

for (const [what, phone] of unreachable) {
  story.concurrent(
    `when the only telephone is ${what}, the next person is called at once`,
    async ({ scene }) => {
      const [ada, grace] = [await scene.hire('Ada', { phone }), await scene.hire('Grace')];
      await scene.alarm(await scene.group([ada, grace], { ackTimeout: 60, attempts: 1 }));
      const [call] = await scene.untilCalled(grace);
      expect(
        secondsBetween(
          scene.log.lines.find(({ to }) => to === ada.phone),
          call,
        ),
      ).toBeLessThan(5);
    },
  );
}

story.concurrent(
  'a false "delivered" of a phone company does not prevent further calls',
  async ({ scene }) => {
    const [ada, grace] = [await scene.hire('Ada', { phone: { kind: 'lies' } }), await scene.hire('Grace')];
    await scene.alarm(await scene.group([ada, grace]));
    const [call] = await scene.untilCalled(grace);
    expect(1_000 * secondsBetween(scene.callsTo(ada)[0], call)).toBeLessThan(allowedMs(12_000));
  },
);

story.concurrent('a person who picks up and presses nothing has not acknowledged', async ({ scene }) => {
  const [ada, grace] = [await scene.hire('Ada', { phone: { kind: 'answers' } }), await scene.hire('Grace')];
  const alarmId = await scene.alarm(await scene.group([ada, grace]));
  await scene.untilCalled(grace);
  expect((await scene.alarmOf(alarmId)).state).toBe(3);
});

story.concurrent(
  'after a timeout the phone company is asked for the status, and the call is not repeated',
  async ({ scene }) => {
    const ada = await scene.hire('Ada', { phone: { kind: 'hangs' } });
    const alarmId = await scene.alarm(await scene.group([ada], { ackTimeout: 60 }));
    await scene.untilCalled(ada);
    await sleep(8_000);
    expect(scene.callsTo(ada)).toHaveLength(1);
    const [call] = (await scene.timeline(alarmId)).flatMap((entry) => entry.call ?? []);
    expect(call?.status).toBe('Calling');
  },
);

story.concurrent('a slow phone company does not delay other calls', async ({ scene }) => {
  const slow = { kind: 'slow', delayMs: 10_000, next: { kind: 'accepts' } } as const;
  const [ada, grace] = [await scene.hire('Ada', { phone: slow }), await scene.hire('Grace')];
  await scene.alarm(await scene.group([ada]));
  await scene.untilCalled(ada);
  const beforeMs = Date.now();
  await scene.alarm(await scene.group([grace]));
  const [call] = await scene.untilCalled(grace);
  expect(Date.parse(call?.at ?? '') - beforeMs).toBeLessThan(allowedMs(3_000));
});

story.concurrent('a telephone that was busy is tried again after a while', async ({ scene }) => {
  const ada = await scene.hire('Ada', { phone: [{ kind: 'busy' }, { kind: 'accepts' }] });
  await scene.alarm(await scene.group([ada], { ackTimeout: 60, attempts: 2 }));
  const [first, second] = await scene.untilCalled(ada, { count: 2, withinMs: 40_000 });
  expect(secondsBetween(first, second)).toBeGreaterThan(13);
});

story.concurrent(
  'a user whose medium no channel serves is skipped, and the next one is called',
  async ({ scene }) => {
    const ada = await scene.hire('Ada', { media: [{ kind: 'Pager', address: '4711' }] });
    const grace = await scene.hire('Grace');
    const alarmId = await scene.alarm(await scene.group([ada, grace], { ackTimeout: 60 }));
    await scene.untilCalled(grace);
    const [first] = (await scene.timeline(alarmId)).flatMap((entry) => entry.call ?? []);
    expect(first).toMatchObject({ userId: ada.id, status: 'Failed' });
    const notices = (await scene.timeline(alarmId)).flatMap(({ notice }) => notice?.kind ?? []);
    expect(notices).toContain('no-channel');
  },
);

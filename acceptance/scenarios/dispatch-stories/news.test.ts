import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Scene, story } from '../../harness/on-call/story.ts';
import { granted } from '../../harness/plant.ts';

async function tellCalled({ client }: Scene): Promise<void> {
  const body = { fallbackCallGroupId: 0, tellCalled: true };
  granted(await client.send('PUT', '/api/v1/dispatch/settings', { body }));
}

async function speak({ client }: Scene, { id }: { id: number }, language: string): Promise<void> {
  const path = `/api/v1/users/${id}`;
  const user = granted<object>(await client.get(path));
  granted(await client.send('PUT', path, { body: { ...user, language } }));
}

story(
  'those who were called read who has taken the alarm, and that it is over, and no telephone rings',
  async ({ scene }) => {
    await tellCalled(scene);
    const ada = await scene.hire('Ada', { mobile: { kind: 'receives' } });
    const grace = await scene.hire('Grace', { mobile: { kind: 'receives' } });
    const edith = await scene.hire('Edith');
    const mary = await scene.hire('Mary', { mobile: { kind: 'receives' } });
    await speak(scene, grace, 'es');
    const group = await scene.group([ada, grace, edith], { mode: 'Broadcast', ackTimeout: 60 });
    const alarmId = await scene.alarm(group, { alarmMessage: 'Pump 7 leaks' });
    for (const who of [ada, grace, edith]) await scene.untilCalled(who);

    await scene.act(alarmId, 'acknowledge');
    const { ackUser } = await scene.alarmOf(alarmId);
    const textsTo =
      (number: string) =>
      ({ event, to }: { event: string; to: string }) =>
        event === 'accepted' && to === number;
    const [taken] = await scene.log.until(textsTo(ada.mobile));
    expect(taken?.text).toBe(`Taken by ${ackUser}: Pump 7 leaks`);
    const [tomada] = await scene.log.until(textsTo(grace.mobile));
    expect(tomada?.text).toBe(`Atendida por ${ackUser}: Pump 7 leaks`);

    await scene.act(alarmId, 'reset');
    const [, over] = await scene.log.until(textsTo(ada.mobile), { count: 2 });
    expect(over?.text).toMatch(/^Over at \d\d:\d\d: Pump 7 leaks$/);
    await sleep(3_000);
    expect(scene.callsTo(ada).map(({ to }) => to)).toEqual([ada.phone, ada.mobile, ada.mobile]);
    expect(scene.callsTo(grace)).toHaveLength(3);
    // Edith has no quiet medium, and Mary was not called.
    expect(scene.callsTo(edith)).toHaveLength(1);
    expect(scene.callsTo(mary)).toEqual([]);
  },
);

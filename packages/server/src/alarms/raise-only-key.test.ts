import { RaiseAlarm } from '@tocsin/contract';
import { expect } from 'vitest';
import { heat, test } from './testing/fire-panel.fixture.ts';
import { attackedMembers, attacks } from './testing/raise-only-key.fixture.ts';

test('every member of a post is tried, in 40 ways or more', () => {
  expect(attackedMembers.toSorted()).toEqual(Object.keys(RaiseAlarm.properties).toSorted());
  expect(attacks.length).toBeGreaterThanOrEqual(40);
});

test.for(attacks)(
  'a key that may only raise does not get far by %s',
  async ([, body], { alarm, admin, panel, sensor }) => {
    const before = await alarm.definition();

    await alarm.post(sensor, { ...body, raised: false });
    expect(await alarm.definition()).toEqual(before);
    expect(await alarm.detail()).toMatchObject({ state: 0, value: '' });

    await alarm.post(panel, { raised: true, ...heat });
    const { occurrenceId } = await alarm.detail();
    await alarm.expectUntouched(occurrenceId);
    await alarm.post(sensor, body);
    await alarm.post(sensor, { ...body, raised: true });
    await alarm.post(sensor, { ...body, raised: false });
    await alarm.expectUntouched(occurrenceId);
    expect(await alarm.definition()).toEqual(before);

    await alarm.post(panel, { raised: false });
    await admin.post(`/alarms/${alarm.id}/acknowledge`);
    expect(await alarm.detail()).toMatchObject({ state: 0 });
  },
);

test.for(attacks)(
  'an alarm that comes with %s is raised all the same',
  async ([, body], { alarm, sensor }) => {
    const before = await alarm.definition();
    const { raised: _raised, ...members } = body;
    await alarm.post(sensor, members);
    expect(await alarm.detail()).toMatchObject({ state: 3 });
    expect(await alarm.definition()).toEqual(before);
    const [call] = await alarm.openCalls();
    expect(call?.plan).toContain('Brigade');
    expect(call?.plan).not.toContain('Mallory');
    const detail = (await alarm.timeline()).find(({ kind }) => kind === 'raised')?.detail ?? '';
    for (const member of Object.keys(members)) {
      const isAccepted = ['value', 'location', 'dataServerId'].includes(member);
      if (!isAccepted) expect(detail).toContain(member);
    }
  },
);

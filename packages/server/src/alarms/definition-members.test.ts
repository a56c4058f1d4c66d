import type { AlarmDetail, RaiseAlarm } from '@tocsin/contract';
import { expect } from 'vitest';
import { test } from './testing/fire-panel.fixture.ts';
import { fireAlarm } from './testing/raise-only-key.fixture.ts';

// `fireAlarm` has every member of a post that defines a tag, or it does not compile.

type Member = keyof typeof fireAlarm;

/** A definition that differs from `fireAlarm` in every member. */
const otherAlarm: Pick<Required<RaiseAlarm>, Member> = {
  stationId: 2,
  tagGroupId: 2,
  priority: 7,
  temporary: true,
  eventCondition: { value: 'on', transitory: true, reactivatable: true, resettable: false },
  alarmDelay: 30,
  alarmMessage: 'Smoke in hall 2',
  alarmFormat: '{name}',
  alarmShortMessage: '212',
  alarmVocalMessageFile: 'smoke.wav',
  alarmAttachedFile: 'hall2.pdf',
  alarmActions: [{ type: 'CallUser', id: 1 }],
  resetMessage: 'Smoke is gone',
  resetFormat: '{path}',
  resetShortMessage: '213',
  resetVocalMessageFile: 'gone.wav',
  resetAttachedFile: 'gone.pdf',
  resetActions: [{ type: 'CallUser', id: 2 }],
  ackMessage: 'On the way',
  ackFormat: '{message}',
  ackShortMessage: '214',
  ackVocalMessageFile: 'way.wav',
  ackAttachedFile: 'way.pdf',
  ackActions: [{ type: 'CallGroup', id: 2 }],
};

const members = Object.keys(fireAlarm) as Member[];

/** The members that the answer names otherwise than the post. */
const answerNames: Partial<Record<keyof RaiseAlarm, keyof AlarmDetail>> = {
  alarmMessage: 'message',
  alarmAttachedFile: 'attachedFile',
};

const shownIn = (detail: AlarmDetail, member: Member) =>
  (detail as Record<string, unknown>)[answerNames[member] ?? member];

/** The changes that the timeline lists for a member; messages are not listed. */
function changesOf(member: Member) {
  if (member.endsWith('Message') && !member.endsWith('ShortMessage')) return undefined;
  if (member !== 'eventCondition') return [{ member, before: fireAlarm[member], after: otherAlarm[member] }];
  const { eventCondition: after } = otherAlarm;
  return Object.entries(fireAlarm.eventCondition).map(([name, before]) => ({
    member: `eventCondition.${name}`,
    before,
    after: after[name as keyof typeof after],
  }));
}

test.for(members)('%s of a new tag can be read back', async (member, { alarm }) => {
  expect(shownIn(await alarm.detail(), member)).toEqual(fireAlarm[member]);
});

test.for(members)('a change of %s alone is stored and listed', async (member, { alarm, client }) => {
  // The alarm is raised first: a temporary tag that is not in alarm cannot be read.
  await alarm.post(client('engineer', { userId: 7 }), { raised: true });
  await alarm.post(client('engineer', { userId: 7 }), { raised: true, [member]: otherAlarm[member] });
  const detail = await alarm.detail();
  for (const one of members)
    expect([one, shownIn(detail, one)]).toEqual([one, (one === member ? otherAlarm : fireAlarm)[one]]);
  expect((await alarm.timeline()).at(-1)?.changes).toEqual(changesOf(member));
});

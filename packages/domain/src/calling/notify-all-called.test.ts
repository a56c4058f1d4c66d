import { expect, test } from 'vitest';
import { planOf, stage } from '../testing/call-plans.ts';
import { liveThrough } from '../testing/night.ts';
import { notifyAllCalled } from './notify-all-called.ts';

const relief = stage({ groupId: 2, role: 'relief', userIds: [4] });
const acknowledgment = planOf([stage(), relief], { occasion: 'acknowledged', until: 'reached' });

test('everybody who was called is notified of the acknowledgment, including people of the relief group', () => {
  const called = [
    { userId: 1, groupId: 1 },
    { userId: 2, groupId: 1 },
    { userId: 4, groupId: 2 },
  ];
  const night = liveThrough(notifyAllCalled(acknowledgment, called), { alarmAt: () => ({ state: 1 }) }, 5);
  expect(night.calls.map(({ userId, second }) => [userId, second])).toEqual([
    [1, 0],
    [2, 0],
    [4, 0],
  ]);
});

test('a group of which nobody was called is notified according to its mode', () => {
  expect(notifyAllCalled(acknowledgment, [{ userId: 9, groupId: 9 }])).toEqual(acknowledgment);
  expect(
    notifyAllCalled({ ...acknowledgment, occasion: 'raised' }, [{ userId: 1, groupId: 1 }]).targets,
  ).toEqual(acknowledgment.targets);
});

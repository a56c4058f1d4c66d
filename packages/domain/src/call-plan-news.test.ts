import { expect, test } from 'vitest';
import { tellAllCalled } from './call-plan-news.ts';
import { planOf, stage } from './testing/call-plans.ts';
import { liveThrough } from './testing/night.ts';

const relief = stage({ groupId: 2, role: 'relief', userIds: [4] });
const news = planOf([stage(), relief], { occasion: 'acknowledged', until: 'reached' });

test('everybody who was called hears that somebody has taken the alarm, whoever stood in included', () => {
  const called = [
    { userId: 1, groupId: 1 },
    { userId: 2, groupId: 1 },
    { userId: 4, groupId: 2 },
  ];
  const night = liveThrough(tellAllCalled(news, called), { alarmAt: () => ({ state: 1 }) }, 5);
  expect(night.calls.map(({ userId, second }) => [userId, second])).toEqual([
    [1, 0],
    [2, 0],
    [4, 0],
  ]);
});

test('a group that nobody was called of hears of it as its mode says', () => {
  expect(tellAllCalled(news, [{ userId: 9, groupId: 9 }])).toEqual(news);
  expect(tellAllCalled({ ...news, occasion: 'raised' }, [{ userId: 1, groupId: 1 }]).targets).toEqual(
    news.targets,
  );
});

import { expect, test } from 'vitest';
import { planOf, stage } from '../testing/call-plans.ts';
import type { CallPlan, MediumKind, Person } from './call-plan.ts';
import { tellCalled } from './tell-called.ts';

const person = (userId: number, name: string, ...kinds: MediumKind[]): [number, Person] => [
  userId,
  { userId, name, language: '', media: kinds.map((kind) => ({ kind, address: `${kind} of ${name}` })) },
];
const people = new Map([
  person(1, 'Ann', 'Voice', 'Sms', 'Email', 'Push'),
  person(2, 'Ben', 'Voice', 'Sms', 'Email'),
  person(3, 'Cem', 'Voice', 'Sms'),
  person(4, 'Dee', 'Voice', 'Pager', 'Webhook'),
]);
const called = [1, 2, 3, 4].map((userId) => ({ userId, groupId: 1 }));

const news: CallPlan = {
  ...planOf([], { occasion: 'acknowledged', until: 'reached' }),
  targets: [],
  tellsCalled: true,
};
const toldBy = ({ plan, people: reached }: ReturnType<typeof tellCalled>) =>
  plan.targets
    .flatMap(({ stages }) => stages.flatMap(({ userIds }) => userIds))
    .map((userId) =>
      reached
        .get(userId)
        ?.media.map(({ address }) => address)
        .join(),
    );

test('everybody who was called is told once, by their quietest medium, and nobody by telephone', () => {
  expect(toldBy(tellCalled(news, [...called, ...called], { people }))).toEqual([
    'Push of Ann',
    'Email of Ben',
    'Sms of Cem',
  ]);
});

test('a medium without a channel is passed over', () => {
  const served = new Set<MediumKind>(['Voice', 'Sms']);
  expect(toldBy(tellCalled(news, called, { people, served }))).toEqual([
    'Sms of Ann',
    'Sms of Ben',
    'Sms of Cem',
  ]);
  expect(toldBy(tellCalled(news, called, { people, served: new Set(['Voice']) }))).toEqual([]);
});

test('the person who took the alarm is not told of it, and is told that it is over', () => {
  const taken = { ...news, message: { ...news.message, news: { kind: 'taken', by: 'Ben' } as const } };
  expect(toldBy(tellCalled(taken, called, { people }))).toEqual(['Push of Ann', 'Sms of Cem']);
  const over = { ...news, message: { ...news.message, news: { kind: 'over', time: '07:12' } as const } };
  expect(toldBy(tellCalled(over, called, { people }))).toContain('Email of Ben');
});

test('people whom the alarm itself notifies get no second message', () => {
  const planned = planOf([stage({ groupId: 1, userIds: [1, 2] })], { occasion: 'reset', until: 'reached' });
  const both = [
    { userId: 1, groupId: 1 },
    { userId: 3, groupId: 2 },
  ];
  const { plan } = tellCalled({ ...planned, tellsCalled: true }, both, { people });
  expect(plan.targets.map(({ stages }) => stages.map(({ userIds }) => userIds))).toEqual([[[1]], [[3]]]);
  expect(tellCalled(planned, both, { people }).plan.targets).toHaveLength(1);
});

test('nobody is told if nobody was called, or if the plan does not ask for it', () => {
  expect(tellCalled(news, [], { people }).plan.targets).toEqual([]);
  const { tellsCalled: _, ...silent } = news;
  expect(tellCalled(silent, called, { people }).plan.targets).toEqual([]);
});

test('a user who was deleted or disabled since is left out', () => {
  expect(toldBy(tellCalled(news, [{ userId: 99, groupId: 1 }], { people }))).toEqual([]);
});

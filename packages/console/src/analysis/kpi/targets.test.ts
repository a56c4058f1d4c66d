import type { AlarmKpis } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { figuresOf } from './targets.ts';

const none = { total: 0, items: [] };

function kpis(change: Partial<AlarmKpis>): AlarmKpis {
  return {
    from: '2026-11-09T00:00:00+01:00',
    to: '2026-11-16T00:00:00+01:00',
    timeZone: 'Europe/Paris',
    operators: 1,
    alarms: 100,
    acknowledged: 0,
    repaired: 0,
    alarmsPerHour: 5,
    flood: { limit: 10, end: 5, floods: 0, tenMinutesAbove: 0, seconds: 0, share: 0 },
    days: [],
    weekdays: [],
    priorities: [],
    worst: none,
    chattering: none,
    stale: none,
    masked: none,
    groups: [],
    ...change,
  };
}

const verdicts = (change: Partial<AlarmKpis>) =>
  Object.fromEntries(figuresOf(kpis(change)).map(({ name, verdict }) => [name, verdict]));

test('a quiet plant is on target everywhere', () => {
  expect(Object.values(verdicts({})).filter((verdict) => verdict !== 'none')).toEqual(Array(7).fill('ok'));
});

test('more than six alarms an hour are near the limit, more than twelve over it', () => {
  expect([6, 6.1, 12, 12.1].map((alarmsPerHour) => verdicts({ alarmsPerHour })['rate'])).toEqual([
    'ok',
    'near',
    'near',
    'over',
  ]);
});

test('ten minutes with eleven alarms are too many for one operator, not for two', () => {
  const busiest = { at: '2026-11-12T17:10:00+01:00', alarms: 11 };
  const flood = { ...kpis({}).flood, limit: 20 };
  expect([verdicts({ busiest })['busiest'], verdicts({ busiest, flood })['busiest']]).toEqual(['over', 'ok']);
});

test('five stale alarms and one chattering tag are off target', () => {
  const total = (number: number) => ({ total: number, items: [] });
  expect(verdicts({ stale: total(4) })['stale']).toBe('ok');
  expect(verdicts({ stale: total(5), chattering: total(1) })).toMatchObject({
    stale: 'over',
    chattering: 'over',
  });
});

test('the time to acknowledge is told without a target', () => {
  const figure = figuresOf(kpis({ reactionMeanTime: '00:02:48' })).find(({ name }) => name === 'acknowledge');
  expect(figure).toMatchObject({ value: 168, verdict: 'none' });
});

import type { CallGroup } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { shiftsOf } from './shifts-of.ts';

const ada = 7;
const group = (roster: Partial<CallGroup['roster']>, more: Partial<CallGroup> = {}): CallGroup => ({
  id: 1,
  name: 'Process',
  localizedName: '',
  lastChange: '2026-11-01T00:00:00',
  stationId: 1,
  mode: 'Sequential',
  userIds: [],
  teams: [
    { id: 1, name: 'A', userIds: [ada] },
    { id: 2, name: 'B', userIds: [8] },
    { id: 3, name: 'C', userIds: [8, ada] },
  ],
  roster: { slotMinutes: 60, slots: [], overrides: [], ...roster },
  ackTimeout: 60,
  attempts: 1,
  cycles: 1,
  reliefGroupId: 0,
  groupingId: 0,
  ...more,
});
const slot = (teamId: number, day: number, start: string, end: string) => ({ teamId, day, start, end });
const period = { from: Date.parse('2026-11-16T00:00Z'), to: Date.parse('2026-11-23T00:00Z') };
const shown = (groups: readonly CallGroup[]) =>
  shiftsOf(
    ada,
    groups.map((one) => ({ group: one, zone: 'Europe/Paris' })),
    period,
  ).map(({ group: name, from, to }) => [name, new Date(from).toISOString(), new Date(to).toISOString()]);

test('a shift over midnight is one shift, by the clock of the station', () => {
  const slots = [slot(1, 1, '22:00', '24:00'), slot(1, 2, '00:00', '06:00'), slot(2, 2, '06:00', '14:00')];
  expect(shown([group({ slots })])).toEqual([
    ['Process', '2026-11-16T21:00:00.000Z', '2026-11-17T05:00:00.000Z'],
  ]);
});

test('who stays while the team changes has one shift', () => {
  const slots = [slot(1, 3, '06:00', '14:00'), slot(3, 3, '14:00', '22:00')];
  expect(shown([group({ slots })])).toEqual([
    ['Process', '2026-11-18T05:00:00.000Z', '2026-11-18T21:00:00.000Z'],
  ]);
});

test('an override takes a shift away and gives another one', () => {
  const slots = [slot(1, 1, '08:00', '16:00'), slot(2, 5, '08:00', '16:00')];
  const overrides = [
    { teamId: 2, from: '2026-11-16T08:00:00+01:00', to: '2026-11-16T16:00:00+01:00' },
    { teamId: 1, from: '2026-11-20T08:00:00+01:00', to: '2026-11-20T16:00:00+01:00' },
  ];
  expect(shown([group({ slots, overrides })])).toEqual([
    ['Process', '2026-11-20T07:00:00.000Z', '2026-11-20T15:00:00.000Z'],
  ]);
});

test('a call group without a roster has no shifts', () => {
  expect(shown([group({}, { userIds: [ada] })])).toEqual([]);
});

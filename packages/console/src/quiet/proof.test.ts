import { expect, test } from 'vitest';
import { callProof, newest, uncovered } from './proof.ts';

const voice = { medium: 'Voice', channels: 2, down: 0, lastCheckTime: '2026-11-17T10:00:00+00:00' };
const sms = { medium: 'Sms', channels: 1, down: 0, lastCheckTime: '2026-11-17T09:00:00+00:00' };

test('calls are proved as of the medium that was checked longest ago', () => {
  expect(callProof({ media: [voice, sms] })).toEqual({
    down: 0,
    channels: 3,
    checkedAt: Date.UTC(2026, 10, 17, 9),
  });
});

test('a medium that was never checked proves nothing', () => {
  const { lastCheckTime: _, ...unchecked } = sms;
  expect(callProof({ media: [voice, unchecked] }).checkedAt).toBeUndefined();
  expect(callProof({ media: [] })).toEqual({ down: 0, channels: 0, checkedAt: undefined });
});

test('a channel that does not work is counted', () => {
  expect(callProof({ media: [voice, { ...sms, down: 1 }] }).down).toBe(1);
});

test('a call group is covered only by somebody who can be called', () => {
  const group = { callGroupId: 1, stationId: 0, why: 'slot' as const };
  const person = { userId: 1, user: 'Anna Keller' };
  const onDuty = [
    { ...group, callGroup: 'Process', people: [{ ...person, canBeCalled: true }] },
    { ...group, callGroup: 'Network', people: [{ ...person, canBeCalled: false }] },
    { ...group, callGroup: 'Electrical', people: [] },
  ];
  expect(uncovered({ onDuty })).toEqual(['Network', 'Electrical']);
  expect(uncovered({})).toEqual([]);
});

test('the newest of some times', () => {
  expect(newest(['2026-11-17T10:00:00+01:00', undefined, '2026-11-17T09:30:00Z'])).toBe(
    Date.UTC(2026, 10, 17, 9, 30),
  );
  expect(newest([undefined])).toBeUndefined();
});

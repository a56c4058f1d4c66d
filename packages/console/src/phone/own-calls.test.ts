import type { Alarm, CallHistory, CallInProgress } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { toRow } from '../alarms/alarm-row.ts';
import { ownCalls } from './own-calls.ts';

const ada = 7;
const ben = 8;
const raised = '2026-11-15T03:12:08+01:00';
const later = '2026-11-15T03:14:00+01:00';
const earlier = '2026-11-15T02:00:00+01:00';

const alarm = (id: number, more: Partial<Alarm> = {}) =>
  toRow(
    {
      id,
      message: `Alarm ${id}`,
      name: '',
      value: '',
      comment: '',
      priority: 2,
      state: 3,
      masked: false,
      alarmTime: raised,
      lastChange: '2026-11-15T02:12:08',
      ackUser: '',
      ...more,
    } as Alarm,
    undefined,
  );
const rowsOf = (...rows: ReturnType<typeof alarm>[]) => new Map(rows.map((row) => [row.alarm.id, row]));

const attemptTo = (userId: number, status: CallHistory['status'] = 'Calling') => ({
  id: userId * 10,
  callGroupId: 1,
  userId,
  user: userId === ada ? 'Ada' : 'Ben',
  medium: 'Voice',
  address: '…4217',
  attempt: 1,
  startTime: later,
  status,
});
const call = (alarmId: number, more: Partial<CallInProgress> = {}): CallInProgress => ({
  id: 1,
  occasion: 'raised',
  alarmId,
  callId: 0,
  stationId: 1,
  priority: 2,
  message: 'Said',
  startTime: raised,
  attempts: [attemptTo(ada)],
  ...more,
});
const attempt = (alarmId: number, more: Partial<CallHistory> = {}): CallHistory => ({
  ...attemptTo(ada, 'NoAnswer'),
  id: 1,
  callId: 0,
  alarmId,
  message: 'Said',
  reason: '',
  ...more,
});

const none = { userId: ada, calls: [], rows: rowsOf(), attempts: [] };

test('the call that rings for a person names who else is called', () => {
  const calls = [call(1, { attempts: [attemptTo(ada), attemptTo(ben)] })];
  expect(ownCalls({ ...none, calls, rows: rowsOf(alarm(1)) })).toMatchObject([
    { attemptId: 70, alarmId: 1, message: 'Alarm 1', isRunning: true, others: ['Ben'] },
  ]);
});

test('calls of others, calls that wait for a line and news about an alarm are no calls of this person', () => {
  const calls = [
    call(1, { attempts: [attemptTo(ben)] }),
    call(2, { attempts: [attemptTo(ada, 'Queued')] }),
    call(3, { occasion: 'reset' }),
  ];
  expect(ownCalls({ ...none, calls, rows: rowsOf(alarm(1), alarm(2), alarm(3)) })).toEqual([]);
});

test('a call that was missed stays until somebody takes the alarm', () => {
  const attempts = [attempt(1), attempt(2)];
  const rows = rowsOf(alarm(1), alarm(2, { state: 1, ackUser: 'Ben' }));
  expect(ownCalls({ ...none, attempts, rows })).toMatchObject([{ alarmId: 1, isRunning: false }]);
});

test('a call that was refused is not shown again, nor one of an earlier occurrence', () => {
  const attempts = [
    attempt(1, { id: 12, status: 'Rejected' }),
    attempt(1, { id: 11 }),
    attempt(2, { startTime: earlier }),
  ];
  expect(ownCalls({ ...none, attempts, rows: rowsOf(alarm(1), alarm(2)) })).toEqual([]);
});

test('a call by hand is about no alarm, and its message is the one that was said', () => {
  const calls = [call(0, { occasion: 'requested', callId: 4, message: 'Come to the gate' })];
  expect(ownCalls({ ...none, calls })).toMatchObject([{ alarmId: 0, message: 'Come to the gate' }]);
});

test('what rings comes first, then the more urgent', () => {
  const rows = rowsOf(alarm(1, { priority: 1 }), alarm(2), alarm(3, { priority: 3 }));
  const attempts = [attempt(2), attempt(1)];
  const found = ownCalls({ ...none, calls: [call(3)], attempts, rows });
  expect(found.map(({ alarmId }) => alarmId)).toEqual([3, 1, 2]);
});

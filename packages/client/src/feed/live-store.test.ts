import type { Alarm, CallChange, CallInProgress } from '@tocsin/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLiveStore } from './live-store.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const alarm = (id: number, state = 3) => ({ id, state }) as Alarm;
const change = (seq: number, changed: Alarm) => ({ seq, kind: 'raised' as const, alarm: changed });
const call = (id: number, more = {}) => ({ id, alarmId: 1, ...more }) as CallInProgress;
const callChange = (kind: CallChange['kind'], of: CallInProgress) =>
  ({ kind, call: of, attempt: { attemptId: 9, user: 'Anna' } }) as CallChange;

function open() {
  const store = createLiveStore(() => Date.now());
  const told = vi.fn<() => void>();
  store.subscribe(told);
  return { store, told };
}

test('listeners are told of a storm at most every 50 ms, and of its end', () => {
  const { store, told } = open();
  for (let seq = 1; seq <= 1_000; seq++) {
    store.applyAlarm(change(seq, alarm(seq)));
    vi.advanceTimersByTime(1);
  }
  vi.runAllTimers();
  expect(told.mock.calls.length).toBeLessThanOrEqual(21);
  expect(store.getSnapshot().alarms.size).toBe(1_000);
});

test('the first change after a pause is told at once', () => {
  const { store, told } = open();
  store.applyAlarm(change(1, alarm(1)));
  vi.advanceTimersByTime(1);
  expect(told).toHaveBeenCalledOnce();
});

test('a snapshot is the same object until something has changed, and never changes itself', () => {
  const { store } = open();
  store.applyAlarm(change(1, alarm(1)));
  vi.runAllTimers();
  const before = store.getSnapshot();
  expect(store.getSnapshot()).toBe(before);
  store.setConnection('live');
  vi.runAllTimers();
  const live = store.getSnapshot();
  expect(live).not.toBe(before);
  expect(live.alarms, 'a list that did not change is the same').toBe(before.alarms);
  store.applyAlarm(change(2, alarm(1, 0)));
  vi.runAllTimers();
  expect(before.alarms.size).toBe(1);
  expect(store.getSnapshot().alarms.size).toBe(0);
  expect(store.getSnapshot().version).toBeGreaterThan(live.version);
});

test('an alarm stays while it is in alarm, not acknowledged or masked', () => {
  const { store } = open();
  for (const [id, state] of [
    [1, 1],
    [2, 2],
    [3, 4],
    [4, 32],
    [5, 0],
  ] as const) {
    store.applyAlarm(change(id, alarm(id)));
    store.applyAlarm(change(id + 10, alarm(id, state)));
  }
  vi.runAllTimers();
  expect([...store.getSnapshot().alarms.keys()]).toEqual([1, 2, 3, 4]);
});

test('a call has its latest attempt until it is closed', () => {
  const { store } = open();
  store.applyCall(callChange('calling', call(1)));
  store.applyCall(callChange('ringing', call(1)));
  store.applyCall(callChange('ringing', call(2)));
  vi.runAllTimers();
  expect(store.getSnapshot().attempts.get(1)?.kind).toBe('ringing');
  store.applyCall(callChange('closed', call(1)));
  // The telephone of a call that is over is hung up later.
  store.applyCall(callChange('answered', call(1, { closedTime: '2026-11-17T03:00:00+01:00' })));
  vi.runAllTimers();
  expect([...store.getSnapshot().calls.keys()]).toEqual([2]);
  expect([...store.getSnapshot().attempts.keys()]).toEqual([2]);
  store.replaceCalls(new Map([[3, call(3)]]));
  vi.runAllTimers();
  expect([...store.getSnapshot().calls.keys()]).toEqual([3]);
  expect(store.getSnapshot().attempts.size).toBe(0);
});

test('another user sees nothing of the one before', () => {
  const { store } = open();
  store.applyAlarm(change(1, alarm(1)));
  store.setLastHeard(5);
  store.clear();
  vi.runAllTimers();
  expect(store.getSnapshot()).toMatchObject({ connection: 'connecting', lastHeard: undefined });
  expect(store.getSnapshot().alarms.size).toBe(0);
});

import { expect, test } from 'vitest';
import type { AttemptStatus } from '../calling/delivery.ts';
import { type NoticeAttempt, noticeOutcome, reachedOf } from './notice-outcome.ts';

const at = new Date('2026-03-01T10:00:00Z');
const attempt = (status: AttemptStatus, reason = ''): NoticeAttempt => ({
  status,
  reason,
  sentAt: at,
  answeredAt: at,
  endedAt: at,
  confirmedAt: at,
});

test('the best result of the tries counts', () => {
  const tries = [attempt('acknowledged'), attempt('noAnswer')];
  expect(noticeOutcome('Voice', tries, true)).toEqual({ state: 'confirmed', reason: '', at });
  expect(noticeOutcome('Voice', [attempt('noAnswer')], false).state).toBe('sending');
  expect(noticeOutcome('Voice', [attempt('noAnswer')], true)).toEqual({
    state: 'failed',
    reason: 'Nobody answered',
    at,
  });
});

test('a call that was picked up and not confirmed may have reached a voice mail only', () => {
  expect(noticeOutcome('Voice', [attempt('answered')], true).state).toBe('answered');
  expect(reachedOf([{ state: 'answered' }])).toBe('none');
});

test('the reason of the provider is shown', () => {
  expect(noticeOutcome('Sms', [attempt('failed', 'no such number')], true).reason).toBe('no such number');
});

test('a person is reached by all media, by a part, or by none', () => {
  expect(reachedOf([{ state: 'confirmed' }, { state: 'delivered' }])).toBe('all');
  expect(reachedOf([{ state: 'confirmed' }, { state: 'failed' }])).toBe('part');
  expect(reachedOf([{ state: 'confirmed' }, undefined]), 'a new medium was not tested').toBe('part');
  expect(reachedOf([{ state: 'failed' }, undefined])).toBe('none');
  expect(reachedOf([undefined])).toBe('untested');
  expect(reachedOf([])).toBe('untested');
});

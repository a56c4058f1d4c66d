import { expect, test } from 'vitest';
import type { ReadyAttempt } from './delivery.store.ts';
import { outgoingMessage } from './outgoing-message.ts';

const at = new Date('2026-03-01T06:00:00Z');
const outgoing = { attemptId: 'test-1-1', answer: undefined, callbackUrl: '', deadline: at };

const attempt = (id: number, text: string, language: string): ReadyAttempt => ({
  id,
  fence: 1,
  userId: 1,
  language,
  medium: { kind: 'Sms', address: '+33612345678' },
  reachable: true,
  avoid: [],
  priority: 2,
  createdAt: at,
  dutyId: id,
  occasion: 'raised',
  firstOfPlant: false,
  tagId: id,
  openedAt: at,
  waitingSince: at,
  message: { text, shortText: '', number: 0, audio: '', file: '' },
});

const told = (language: string, mostUrgentAttemptId: number) => {
  const attempts = [attempt(1, 'Pump 1', language), attempt(2, 'Fire', language)];
  const bundle = { count: 2, firstAttemptId: 1, mostUrgentAttemptId };
  const { subject, text } = outgoingMessage(attempts, { bundle }, outgoing);
  return [subject, text];
};

test('a flood is told in the language of the one who is called', () => {
  expect(told('en', 2)).toEqual(['2 alarms', '2 alarms. First: Pump 1. Most urgent: Fire.']);
  expect(told('fr-FR', 2)).toEqual(['2 alarmes', '2 alarmes. Première: Pump 1. La plus urgente: Fire.']);
  expect(told('de', 1)).toEqual(['2 Alarme', '2 Alarme. Zuerst: Pump 1.']);
});

test('a single message is told as it is, whatever the language', () => {
  const [one] = [attempt(1, 'Pump 1', 'fr')];
  expect(outgoingMessage([one], { bundle: undefined }, outgoing)).toMatchObject({
    text: 'Pump 1',
    alarmCount: 1,
  });
});

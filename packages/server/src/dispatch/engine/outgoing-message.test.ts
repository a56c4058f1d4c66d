import { expect, test } from 'vitest';
import type { ReadyAttempt } from './delivery.store.ts';
import { outgoingMessage } from './outgoing-message.ts';

const at = new Date('2026-03-01T06:00:00Z');
const outgoing = { nameOf: String, attemptId: 'test-1-1', answer: undefined, callbackUrl: '' };

const attempt = (id: number, text: string, language: string): ReadyAttempt => ({
  id,
  fencingToken: 1,
  userId: 1,
  language,
  medium: { kind: 'Sms', address: '+33612345678' },
  isReachable: true,
  avoid: [],
  priority: 2,
  createdAt: at,
  escalationId: id,
  occasion: 'raised',
  isFirstOfStation: false,
  tagId: id,
  occurrenceId: id,
  openedAt: at,
  waitingSince: at,
  firstDueAt: at,
  isFirstCall: true,
  message: { text, shortText: '', number: 0, audio: '', file: '' },
  traceParent: null,
});

const told = (language: string, mostUrgentAttemptId: number) => {
  const attempts = [attempt(1, 'Pump 1', language), attempt(2, 'Fire', language)];
  const bundle = { count: 2, firstAttemptId: 1, mostUrgentAttemptId };
  const { subject, text } = outgoingMessage(attempts, { bundle }, outgoing);
  return [subject, text];
};

test('a bundled message is in the language of the person called', () => {
  expect(told('en', 2)).toEqual(['2 alarms', '2 alarms. First: Pump 1. Most urgent: Fire.']);
  expect(told('fr-FR', 2)).toEqual(['2 alarmes', '2 alarmes. Première: Pump 1. La plus urgente: Fire.']);
  expect(told('es-MX', 2)).toEqual(['2 alarmas', '2 alarmas. Primera: Pump 1. La más urgente: Fire.']);
  expect(told('de', 1)).toEqual(['2 Alarme', '2 Alarme. Zuerst: Pump 1.']);
});

test('a single message is sent unchanged in any language', () => {
  const [one] = [attempt(1, 'Pump 1', 'fr')];
  expect(outgoingMessage([one], { bundle: undefined }, outgoing)).toMatchObject({
    text: 'Pump 1',
    alarmCount: 1,
  });
});

test('each alarm of a bundle keeps its own recording', () => {
  const recorded = (id: number, audio: string): ReadyAttempt => {
    const one = attempt(id, `Pump ${id}`, 'en');
    return { ...one, message: { ...one.message, audio } };
  };
  const bundle = { count: 2, firstAttemptId: 1, mostUrgentAttemptId: 1 };
  const message = outgoingMessage([recorded(1, 'pump.wav'), recorded(2, '')], { bundle }, outgoing);
  expect(message.alarms.map(({ audio }) => audio)).toEqual(['pump.wav', '']);
  expect(message.audio, 'the text about all of them has none').toBe('');
});

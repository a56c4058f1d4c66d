import { describe, expect, test } from 'vitest';
import { dialogueLanguages } from '../dialogue/dialogue-words.ts';
import { answeredCall } from '../testing/held-call.ts';
import { noticeText } from './notice-text.ts';

const ann = { name: 'Ann', language: 'en' };

describe('the call of a test', () => {
  const text = noticeText({ kind: 'test' }, ann, 'Voice');
  const call = () =>
    answeredCall({ hasAlarm: false, isNotice: true, alarms: [{ attemptId: 'a', text, audio: '' }] });

  test('says that it is one, and asks for a key', () => {
    expect(call().said).toBe('This is a test of Tocsin for Ann.');
    expect(call().hear().said).toBe('Press 1 to confirm. To hear this again, press star.');
  });

  test('is confirmed with 1', () => {
    const confirmed = call().hear(2).keys('1');
    expect(confirmed.presses).toMatchObject([{ choice: 'confirm', heard: ['a'], proof: { kind: 'leg' } }]);
    expect(confirmed.judged('accepted').said).toBe('Your confirmation is recorded. Thank you.');
  });
});

test('the digits of a code are spoken one by one, twice', () => {
  const text = noticeText({ kind: 'code', code: '482913' }, ann, 'Voice');
  const call = answeredCall({
    hasAlarm: false,
    isNotice: true,
    answerBy: 'none',
    alarms: [{ attemptId: 'a', text, audio: '' }],
  });
  expect(call.said).toBe('Your Tocsin code is 4 8 2 9 1 3. Once more: 4 8 2 9 1 3.');
});

test('a code is written in one piece', () => {
  expect(noticeText({ kind: 'code', code: '482913' }, ann, 'Sms')).toBe('Your Tocsin code is 482913.');
});

test('a reminder names the time and the call group', () => {
  const content = { kind: 'reminder', from: '18:00', group: 'Night' } as const;
  expect(noticeText(content, ann, 'Email')).toBe('You are on call from 18:00 (Night).');
});

/** Characters that an SMS carries in seven bits; the basic part of GSM 03.38 without Greek. */
const gsm = /^[@£$¥èéùìòÇØøÅåÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/;

test.each(dialogueLanguages)(
  'the written texts in %s need no more than seven bits a character',
  (language) => {
    const person = { name: 'Ann', language };
    const texts = [
      noticeText({ kind: 'test' }, person, 'Sms'),
      noticeText({ kind: 'code', code: '1234' }, person, 'Sms'),
      noticeText({ kind: 'reminder', from: '18:00', group: 'Night' }, person, 'Sms'),
    ];
    for (const text of texts) expect(text).toMatch(gsm);
    expect(new Set(texts).size).toBe(3);
  },
);

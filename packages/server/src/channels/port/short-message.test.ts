import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageTo } from '../testing/messages.fixture.ts';
import { callLanguages, callWordsOf } from './call-words.ts';
import { partsOf, shortMessage } from './short-message.ts';

const link = `https://tocsin.plant.example/answer/${'a'.repeat(110)}`;
const answer = { code: '482913', link };
const textTo = (more: object) => messageTo('+33612345678', { answer, ...more });

test('a text says what is wrong, how to answer, and where', () => {
  expect(shortMessage(textTo({ text: 'Pump 3 fails' }))).toBe(
    `Pump 3 fails\nReply 482913 to take the alarm, 482913 2 to confirm only that you got this.\n${link}`,
  );
});

test('the number of a call stands in front', () => {
  const message = textTo({ text: 'Come', number: 7, answer: undefined });
  expect(shortMessage(message)).toBe('7 Come');
  expect(shortMessage({ ...message, number: 0 })).toBe('Come');
});

test('an empty message still says how to answer', () => {
  expect(shortMessage(textTo({ text: '', alarms: [], alarmCount: 0 }))).toMatch(/^Reply 482913 to confirm/);
});

test.for([
  ['160 plain signs', 'a'.repeat(160), 1],
  ['161 plain signs', 'a'.repeat(161), 2],
  ['80 signs that count twice', '€'.repeat(80), 1],
  ['81 signs that count twice', '€'.repeat(81), 2],
  ['70 signs of another alphabet', 'ж'.repeat(70), 1],
  ['71 signs of another alphabet', 'ж'.repeat(71), 2],
  ['one sign of another alphabet among 70', `${'a'.repeat(70)}ж`, 2],
] as const)('%s take so many parts', ([, text, parts]) => {
  expect(partsOf(text)).toBe(parts);
});

test('the prompt needs only the GSM alphabet in every language', () => {
  for (const language of callLanguages) {
    for (const alarmCount of [0, 1, 12]) {
      const message = textTo({ text: 'a', language, alarmCount, answer: { code: '482913', link: '' } });
      expect([language, alarmCount, partsOf(shortMessage(message))]).toEqual([language, alarmCount, 1]);
    }
  }
});

test('news needs only the GSM alphabet in every language', () => {
  for (const language of callLanguages) {
    const { taken, over } = callWordsOf(language);
    const text = [taken('Ann'), taken(''), over('07:12')].join(' ');
    expect([language, partsOf(text + 'a'.repeat(160 - text.length))]).toEqual([language, 1]);
  }
});

test('a long message is cut, and the prompt stays whole', () => {
  for (const sign of ['a', 'ж', '€', '🚨']) {
    const short = shortMessage(textTo({ text: sign.repeat(5_000) }));
    expect(partsOf(short)).toBeLessThanOrEqual(5);
    expect(short).toContain(`${sign}...\nReply 482913 to take the alarm`);
    expect(short.endsWith(`\n${link}`)).toBe(true);
  }
});

test('a link that leaves no room for the message is left out, and the code is not', () => {
  const long = { code: '482913', link: `https://tocsin.plant.example/${'x'.repeat(400)}` };
  const short = shortMessage(textTo({ text: 'ж'.repeat(300), answer: long }));
  expect(short).toContain('Reply 482913');
  expect(short).not.toContain('https');
  expect(partsOf(short)).toBeLessThanOrEqual(5);
});

test('any alarm becomes at most five parts that say how to answer and split no character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 900 }), fc.boolean(), (text, hasLink) => {
      const short = shortMessage(textTo({ text, answer: { code: '482913', link: hasLink ? link : '' } }));
      expect(partsOf(short)).toBeLessThanOrEqual(5);
      expect(short).toContain('482913');
      expect(short.isWellFormed()).toBe(true);
    }),
  );
});

import { expect, test } from 'vitest';
import { messageTo } from '../testing/messages.fixture.ts';
import { linkPrompt, replyPrompt, spokenPrompt } from './answer-prompt.ts';
import { callLanguages } from './call-words.ts';
import { codeInReply } from './reply-code.ts';

const called = (more: object) => messageTo('+33612345678', more);
const request = { alarms: [], alarmCount: 0 };

test('a call about an alarm says how to take the alarm and how to confirm the call', () => {
  expect(spokenPrompt(called({}))).toBe(
    'To take the alarm, press 4 8 2 9 1 3. ' +
      'To confirm only that you have got this call, press 4 8 2 9 1 3 and then 2.',
  );
  expect(spokenPrompt(called({ alarmCount: 12 }))).toMatch(/^To take all 12 alarms, press 4 8 2 9 1 3\./);
});

test('a call without an alarm says how to confirm the call, and mentions no alarm', () => {
  for (const language of callLanguages) {
    const message = called({ ...request, language });
    const told = [spokenPrompt(message), replyPrompt(message), linkPrompt(message)];
    for (const words of told) expect(words).not.toMatch(/alarm/i);
    expect(told[0]).toContain('4 8 2 9 1 3');
    expect(told[1]).toContain('482913');
  }
});

test('instructions are in the language of the person, in English if it is not available', () => {
  const first = (language: string) => spokenPrompt(called({ language })).split(' ', 1)[0];
  expect(
    ['fr', 'fr-CH', 'de', 'de-AT', 'DE', 'es-MX', 'en', 'en-GB', 'pt', '', 'xx-very-odd'].map(first),
  ).toEqual(['Pour', 'Pour', 'Um', 'Um', 'Um', 'Para', 'To', 'To', 'To', 'To', 'To']);
});

test('what a text tells to reply is understood when it is replied', () => {
  for (const language of callLanguages) {
    const told = replyPrompt(called({ language }));
    expect(told.match(/482913 2|482913/g)).toEqual(['482913', '482913 2']);
  }
  expect(codeInReply('482913')).toBe('482913');
  expect(codeInReply('482913 2')).toBe('482913 2');
});

test('nothing is said of answers where none is waited for', () => {
  const news = called({ answer: undefined });
  expect([spokenPrompt(news), replyPrompt(news), linkPrompt(news)]).toEqual(['', '', '']);
  expect(linkPrompt(called({ answer: { code: '482913', link: '' } }))).toBe('');
});

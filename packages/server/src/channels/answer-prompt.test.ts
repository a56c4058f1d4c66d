import { expect, test } from 'vitest';
import { linkPrompt, replyPrompt, spokenPrompt } from './answer-prompt.ts';
import { callLanguages } from './call-words.ts';
import { messageTo } from './messages.fixture.ts';
import { codeInReply } from './provider-callback.ts';

const called = (more: object) => messageTo('+33612345678', more);
const request = { alarms: [], alarmCount: 0 };

test('whoever is called about an alarm hears what takes it and what only confirms the call', () => {
  expect(spokenPrompt(called({}))).toBe(
    'To take the alarm, press 4 8 2 9 1 3. ' +
      'To confirm only that you have got this call, press 4 8 2 9 1 3 and then 2.',
  );
  expect(spokenPrompt(called({ alarmCount: 12 }))).toMatch(/^To take all 12 alarms, press 4 8 2 9 1 3\./);
});

test('whoever is called without an alarm hears how to confirm the call, and of no alarm', () => {
  for (const language of callLanguages) {
    const message = called({ ...request, language });
    const told = [spokenPrompt(message), replyPrompt(message), linkPrompt(message)];
    for (const words of told) expect(words).not.toMatch(/alarm/i);
    expect(told[0]).toContain('4 8 2 9 1 3');
    expect(told[1]).toContain('482913');
  }
});

test('each person is told in his language, and in English where we have not his', () => {
  const first = (language: string) => spokenPrompt(called({ language })).split(' ', 1)[0];
  expect(['fr', 'fr-CH', 'de', 'de-AT', 'DE', 'en', 'en-GB', 'pt', '', 'xx-very-odd'].map(first)).toEqual([
    'Pour',
    'Pour',
    'Um',
    'Um',
    'Um',
    'To',
    'To',
    'To',
    'To',
    'To',
  ]);
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

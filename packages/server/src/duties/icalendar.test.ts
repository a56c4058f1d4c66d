import { expect, test } from 'vitest';
import { readCalendarToken, writeCalendarToken } from './calendar-token.ts';
import { writeCalendar } from './icalendar.ts';

const event = {
  uid: 'group-1-1793080800@tocsin',
  startsAt: new Date('2026-10-27T06:00:00Z'),
  endsAt: new Date('2026-10-27T14:00:00Z'),
  summary: 'Anna; Ben, Zoë',
  description: 'hall\\B\r\nask',
};
const written = new Date('2026-10-01T00:00:00Z');

test('an event has its times in UTC and its texts escaped', () => {
  expect(writeCalendar('Pumps', [event], written).split('\r\n')).toEqual(
    expect.arrayContaining([
      'UID:group-1-1793080800@tocsin',
      'DTSTAMP:20261001T000000Z',
      'DTSTART:20261027T060000Z',
      'DTEND:20261027T140000Z',
      'SUMMARY:Anna\\; Ben\\, Zoë',
      'DESCRIPTION:hall\\\\B\\nask',
    ]),
  );
});

test('a text cannot add lines of its own', () => {
  const summary = 'A\r\nEND:VEVENT\u0000\u2028';
  const lines = writeCalendar('Pumps', [{ ...event, summary }], written).split(/\r\n|[\r\n]/);
  expect(lines.filter((line) => line === 'END:VEVENT')).toHaveLength(1);
});

test('long lines are folded at 75 bytes, and no character is torn', () => {
  const summary = `${'é'.repeat(100)}${'🚰'.repeat(40)}`;
  const text = writeCalendar('Pumps', [{ ...event, summary }], written);
  const lines = text.split('\r\n');
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
  expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:${summary}\r\n`);
});

test('a token is read as it was written, and nothing else is a token', () => {
  const token = { tenantId: 1, id: 7, secret: 'a_-Z'.repeat(11).slice(0, 43) };
  expect(readCalendarToken(writeCalendarToken(token))).toEqual(token);
  for (const text of ['', 'tcc_1_7_short', `tcc_0_7_${token.secret}`, `${writeCalendarToken(token)}x`])
    expect(readCalendarToken(text)).toBeUndefined();
});

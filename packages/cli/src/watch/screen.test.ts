import type { LiveState } from '@tocsin/client';
import type { Alarm } from '@tocsin/contract';
import { expect, test } from 'vitest';
import { alarmLine } from './alarm-text.ts';
import { drawScreen, screenLines } from './screen.ts';

const alarm = (id: number, members: Partial<Alarm> = {}): Alarm => ({
  id,
  dataServerId: 1,
  path: `P${id}`,
  fullPath: `SCADA\\P${id}`,
  name: `P${id}`,
  localizedName: `P${id}`,
  value: '',
  message: 'Pump stopped',
  resetMessage: '',
  ackMessage: '',
  priority: 3,
  state: 3,
  masked: false,
  alarmTime: '2026-04-29T09:07:42+02:00',
  lastChange: '2026-04-29T07:07:42',
  ackUser: '',
  attachedFile: '',
  resetAttachedFile: '',
  ackAttachedFile: '',
  comment: '',
  ...members,
});

const state = (alarms: readonly Alarm[], members: Partial<LiveState> = {}): LiveState => ({
  connection: 'live',
  lastHeard: Date.UTC(2026, 3, 29, 7, 8),
  lostSince: undefined,
  alarms: new Map(alarms.map((one) => [one.id, one])),
  calls: new Map(),
  attempts: new Map(),
  version: 1,
  ...members,
});

const options = { columns: 100, rows: 12, title: 'Waterworks', urgency: [1, 2, 3], hasColour: false };
const numbersOf = (lines: readonly string[]) => lines.flatMap((line) => /^#(\d+)/.exec(line)?.[1] ?? []);

test('alarms that need somebody are on top, the most urgent first, and masked ones at the end', () => {
  const alarms = [
    alarm(1, { state: 1, priority: 1 }),
    alarm(2, { priority: 2 }),
    alarm(3, { state: 7, priority: 1 }),
    alarm(4, { priority: 1 }),
    alarm(5, { priority: 1, alarmTime: '2026-04-29T09:10:00+02:00' }),
  ];
  expect(numbersOf(screenLines(state(alarms), options))).toEqual(['5', '4', '2', '1', '3']);
});

test('a lost connection never looks like a quiet plant', () => {
  const lost = screenLines(
    state([], { connection: 'lost', lostSince: Date.UTC(2026, 3, 29, 7, 9) }),
    options,
  );
  expect(lost.join('\n')).toContain('NO CONNECTION since 07:09:00 UTC: the list is old.');
  expect(lost.join('\n')).not.toContain('No alarms');
  expect(screenLines(state([], { connection: 'connecting' }), options).join('\n')).not.toContain('No alarms');
  expect(screenLines(state([]), options).join('\n')).toContain('No alarms.');
});

test('a flood fits the terminal, and tells how many alarms it does not show', () => {
  const alarms = Array.from({ length: 500 }, (_, index) => alarm(index + 1));
  const lines = screenLines(state(alarms), options);
  expect(lines.length).toBeLessThanOrEqual(options.rows);
  expect(lines[0]).toContain('500 alarms, 500 to be acknowledged');
  expect(lines).toContain('… and 493 more');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(options.columns);
});

test('a message cannot write to another place of the screen', () => {
  const drawn = drawScreen(state([alarm(1, { message: '\u001B[1;1HAll clear' })]), options);
  const commands = drawn.split('\u001B[').slice(1);
  expect(commands.filter((text) => !/^[HKJ]/.test(text))).toEqual([]);
  expect(commands.filter((text) => text.startsWith('H'))).toHaveLength(1);
});

test('a change is one line, whatever the message', () => {
  const line = alarmLine('raised', alarm(7, { message: 'two\nlines' }), Date.UTC(2026, 3, 29, 7, 8));
  expect(line).toBe('2026-04-29T07:08:00Z  raised  priority 3  #7  SCADA\\P7  ACTIVE  two lines');
});

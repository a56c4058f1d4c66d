import type { LiveState } from '@tocsin/client';
import type { Alarm } from '@tocsin/contract';
import { column, counted } from '../common/terminal-text.ts';
import { isActive, isMasked, isWaiting, sortAlarms } from './alarm-text.ts';

export type ScreenOptions = {
  readonly columns: number;
  readonly rows: number;
  /** Name of the tenant. */
  readonly title: string;
  /** Codes of the priorities, most urgent first. */
  readonly urgency: readonly number[];
  /** Whether to emphasize with the colours of the terminal. */
  readonly hasColour: boolean;
};

const escape = '\u001B[';
/** Another page of the terminal, which ends without a trace, and no cursor. */
export const enterScreen = `${escape}?1049h${escape}?25l`;
export const leaveScreen = `${escape}?25h${escape}?1049l`;

/** The whole screen, drawn over the former one without a flicker. */
export function drawScreen(state: LiveState, options: ScreenOptions): string {
  const lines = screenLines(state, options);
  return `${escape}H${lines.map((line) => `${line}${escape}K`).join('\r\n')}${escape}J`;
}

/** The lines of the screen. An old list is never shown as a present one. */
export function screenLines(state: LiveState, options: ScreenOptions): string[] {
  const { columns, rows, title, urgency, hasColour } = options;
  const alarms = sortAlarms(state.alarms.values(), urgency);
  const waiting = alarms.filter((alarm) => isWaiting(alarm) && !isMasked(alarm)).length;
  const counts = `${counted(alarms.length, 'alarm')}, ${waiting} to be acknowledged`;
  const head = column(`Tocsin  ${title}  ${counts}`, columns);
  const shown = alarms.slice(0, Math.max(1, rows - 5));
  const rest = alarms.length - shown.length;
  return [
    emphasize(head, hasColour ? '1' : undefined),
    emphasize(column(connectionText(state), columns), warning(state, hasColour)),
    '',
    ...shown.map((alarm) => emphasize(row(alarm, columns), hasColour ? styleOf(alarm) : undefined)),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
    ...(alarms.length === 0 && state.connection === 'live' ? ['No alarms.'] : []),
    '',
    column('Ctrl+C ends.', columns),
  ].slice(0, rows);
}

function connectionText({ connection, lostSince, lastHeard }: LiveState): string {
  const at = (time: number | undefined) =>
    time === undefined ? '?' : new Date(time).toISOString().slice(11, 19);
  switch (connection) {
    case 'connecting':
      return 'Connecting …';
    case 'live':
      return `Live, ${at(lastHeard)} UTC`;
    case 'late':
      return 'The server is late: the list may be old.';
    case 'lost':
      return `NO CONNECTION since ${at(lostSince)} UTC: the list is old. Trying again …`;
  }
}

const warning = ({ connection }: LiveState, hasColour: boolean) =>
  hasColour && (connection === 'lost' || connection === 'late') ? '1;7' : undefined;

const styleOf = (alarm: Alarm) => (isMasked(alarm) ? '2' : isWaiting(alarm) ? '1' : undefined);

/** The state of an alarm in few letters. */
function shortState(alarm: Alarm): string {
  if (isMasked(alarm)) return 'masked';
  if (isWaiting(alarm)) return isActive(alarm) ? 'ACTIVE' : 'RESET';
  return 'acked';
}

/** Columns of fixed width, and the message in the rest. */
function row(alarm: Alarm, columns: number): string {
  const { id, priority, alarmTime, fullPath, message } = alarm;
  const pathWidth = Math.max(16, Math.floor(columns / 4));
  const cells = [
    column(`#${id}`, 7),
    column(`P${priority}`, 3),
    column(alarmTime.slice(5, 19).replace('T', ' '), 14),
    column(shortState(alarm), 6),
    column(fullPath, pathWidth),
    message,
  ];
  return column(cells.join(' '), columns);
}

const emphasize = (text: string, style: string | undefined) =>
  style === undefined ? text : `${escape}${style}m${text}${escape}0m`;

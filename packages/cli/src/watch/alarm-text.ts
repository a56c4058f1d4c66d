import type { Alarm } from '@tocsin/contract';
import { plainText } from '../common/terminal-text.ts';

/** Bits of the state of an alarm. */
const active = 1;
const notAcknowledged = 2;
const masked = 4 | 32;

export const isMasked = ({ state }: Pick<Alarm, 'state'>) => (state & masked) !== 0;
export const isActive = ({ state }: Pick<Alarm, 'state'>) => (state & active) !== 0;
/** Whether somebody must still act. */
export const isWaiting = ({ state }: Pick<Alarm, 'state'>) => (state & notAcknowledged) !== 0;

/** The state of an alarm in a word or two. */
function stateText(alarm: Pick<Alarm, 'state'>): string {
  if (isMasked(alarm)) return 'masked';
  switch (alarm.state & (active | notAcknowledged)) {
    case active | notAcknowledged:
      return 'ACTIVE';
    case active:
      return 'acknowledged';
    case notAcknowledged:
      return 'reset, to be acknowledged';
    default:
      return 'ended';
  }
}

/** One line about a change of an alarm. `time` is in milliseconds since 1970. */
export function alarmLine(kind: string, alarm: Alarm, time: number): string {
  const { id, priority, fullPath, message } = alarm;
  const when = `${new Date(time).toISOString().slice(0, 19)}Z`;
  const parts = [when, kind, `priority ${priority}`, `#${id}`, fullPath, stateText(alarm), message];
  return parts.map(plainText).join('  ');
}

/** The alarms that need somebody first, then by urgency, then the newest first. `urgency` has the codes, most urgent first. */
export function sortAlarms(alarms: Iterable<Alarm>, urgency: readonly number[]): Alarm[] {
  const rank = ({ priority }: Alarm) => {
    const place = urgency.indexOf(priority);
    return place === -1 ? urgency.length : place;
  };
  const group = (alarm: Alarm) => (isMasked(alarm) ? 2 : isWaiting(alarm) ? 0 : 1);
  return [...alarms].toSorted(
    (one, other) =>
      group(one) - group(other) ||
      rank(one) - rank(other) ||
      Date.parse(other.alarmTime) - Date.parse(one.alarmTime) ||
      other.id - one.id,
  );
}

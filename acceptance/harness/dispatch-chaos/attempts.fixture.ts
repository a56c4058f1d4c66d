import type { LogLine } from '../phone-company/protocol.ts';
import {
  raised,
  soundAttempt,
  soundEscalation,
  soundLine,
  soundPolicy,
  soundRun,
} from './evidence.fixture.ts';
import type { AttemptRow, Evidence } from './evidence.ts';

const [sent] = soundRun.clients as [Evidence['clients'][number]];
export const at = (seconds: number) => raised + seconds * 1_000;
export const line = (seconds: number, changes: Partial<LogLine> = {}): LogLine => ({
  ...soundLine,
  at: new Date(at(seconds)).toISOString(),
  ...changes,
});
/** Another attempt, made some seconds after the alarm. */
export const tried = (id: number, seconds: number, changes: Partial<AttemptRow> = {}): AttemptRow => {
  const times = { created: at(seconds), sent: at(seconds), ended: at(seconds + 1) };
  return { ...soundAttempt, id, sentAs: id, outcome: 'noAnswer', ...times, ...changes };
};
export const orderOf = ({ id, created, userId, medium }: AttemptRow): LogLine[] => {
  const to = soundPolicy.numbers.get(`1 ${userId}`) ?? '';
  const order = { attemptId: `abc-1-${id}`, to, folder: medium === 'Voice' ? 'calls' : 'messages' } as const;
  const seconds = (created - raised) / 1_000 + 0.1;
  return [line(seconds, order), line(seconds + 1, { ...order, event: 'ended' })];
};
/** The windows of the sound run without total outages. */
const partlyDown = structuredClone(soundRun.windows);
for (const window of partlyDown) window.total = false;

/** A run with exactly these attempts, whose alarm is acknowledged `closed` seconds after its raise. */
export const withTries = (attempts: readonly AttemptRow[], closed = 60): Partial<Evidence> => ({
  escalations: [{ ...soundEscalation, closed: at(closed), closingCommitted: at(closed) }],
  attempts: [...attempts],
  company: attempts.flatMap(orderOf),
  windows: partlyDown,
});
/** A mask of the alarm and its end. */
export const masked = (from: number, to: number): Evidence['clients'] => [
  { ...sent, op: 'mask', invoked: at(from), ended: at(from + 0.1), seconds: 3_600 },
  { ...sent, op: 'unmask', invoked: at(to), ended: at(to + 0.1) },
];

import type { LogLine } from '../phone-company/protocol.ts';
import { raised, soundAttempt, soundDuty, soundLine, soundPolicy, soundRun } from './evidence.fixture.ts';
import type { AttemptRow, Evidence } from './evidence.ts';

const [sent] = soundRun.clients as [Evidence['clients'][number]];
export const at = (seconds: number) => raised + seconds * 1_000;
export const line = (seconds: number, changes: Partial<LogLine> = {}): LogLine => ({
  ...soundLine,
  at: new Date(at(seconds)).toISOString(),
  ...changes,
});
/** Another try, made so many seconds after the alarm, with its order at the company of its medium. */
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
/** As in the sound run, but nobody was ever out of reach. */
const partlyIll = structuredClone(soundRun.windows);
for (const window of partlyIll) window.total = false;

/** These tries and no others, and the alarm is acknowledged so many seconds after it was raised. */
export const withTries = (attempts: readonly AttemptRow[], closed = 60): Partial<Evidence> => ({
  duties: [{ ...soundDuty, closed: at(closed), closingCommitted: at(closed) }],
  attempts: [...attempts],
  company: attempts.flatMap(orderOf),
  windows: partlyIll,
});
/** Somebody masks the alarm and ends that later. */
export const masked = (from: number, to: number): Evidence['clients'] => [
  { ...sent, op: 'mask', invoked: at(from), ended: at(from + 0.1), seconds: 3_600 },
  { ...sent, op: 'unmask', invoked: at(to), ended: at(to + 0.1) },
];

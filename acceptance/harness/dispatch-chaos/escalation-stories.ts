import { type GroupPolicy, stagesOf } from './call-policy.ts';
import type { ClientLine } from './client-log.ts';
import { type AttemptRow, attemptOf, type EscalationRow, type Evidence } from './evidence.ts';

/** An order that a phone company received, accepted or not. */
export type OrderMade = { at: number; isAccepted: boolean; attempt: AttemptRow };

/** A time in which people must be called: until somebody acts or masks the alarm. Epoch milliseconds. */
export type Interval = { from: number; to: number };

/** A time in which the alarm is certainly masked, so that nobody may be called. */
export type Silence = { from: number; to: number };

/** Everything about one escalation, from the database, the clients and the companies. */
export type EscalationStory = {
  escalation: EscalationRow;
  /** In the order of their numbers. */
  attempts: AttemptRow[];
  /** From the logs of the phone companies, by time. */
  orders: OrderMade[];
  intervals: Interval[];
  silences: Silence[];
  /** Time of the answer to the client that acknowledged or reset the alarm. */
  acted: number | undefined;
  /** The groups that its alarm calls, in order. */
  stages: GroupPolicy[];
  priority: number;
};

const heard = ['accepted', 'declined', 'ignored', 'repeated'];

export function storiesOf(evidence: Evidence): EscalationStory[] {
  const ordered = Map.groupBy(
    evidence.company.filter(({ event }) => heard.includes(event)),
    attemptOf,
  );
  const ordersOf = (attempt: AttemptRow): OrderMade[] =>
    (ordered.get(`${attempt.tenantId} ${attempt.sentAs ?? attempt.id}`) ?? []).map(({ at, event }) => ({
      at: Date.parse(at),
      isAccepted: event === 'accepted',
      attempt,
    }));
  const byEscalation = Map.groupBy(
    evidence.attempts,
    ({ tenantId, escalationId }) => `${tenantId} ${escalationId}`,
  );
  const byAlarm = Map.groupBy(evidence.clients, ({ tenantId, alarmId }) => `${tenantId} ${alarmId}`);
  const byKey = Map.groupBy(evidence.clients, ({ tenantId, key }) => `${tenantId} ${key}`);
  return evidence.escalations.map((escalation) => {
    const { tenantId, id, tagId } = escalation;
    const attempts = (byEscalation.get(`${tenantId} ${id}`) ?? []).toSorted(
      (one, other) => one.id - other.id,
    );
    const about = byAlarm.get(`${tenantId} ${tagId}`) ?? [];
    const [known] = about;
    const lines = byKey.get(`${tenantId} ${known?.key}`) ?? [];
    const acted = about.find(
      ({ op, outcome }) => outcome === 'ok' && (op === 'acknowledge' || op === 'reset'),
    );
    return {
      escalation,
      attempts,
      orders: attempts.flatMap(ordersOf).toSorted((one, other) => one.at - other.at),
      ...timesOf(escalation, { masks: masksOf(lines), acted: acted?.ended }),
      acted: acted?.ended,
      priority: known?.priority ?? 0,
      stages: stagesOf(evidence.policy, tenantId, known?.groupId ?? 0),
    };
  });
}

/** Earliest request and latest answer of a mask and of its end. */
type Mask = { asked: number; done: number; endAsked: number; endDone: number };

/** Of repeated requests any may have taken effect. */
function masksOf(lines: readonly ClientLine[]): Mask[] {
  const of = (op: ClientLine['op']) => lines.filter((line) => line.op === op);
  const done = (op: ClientLine['op']) => of(op).find(({ outcome }) => outcome === 'ok')?.ended;
  const asked = Math.min(...of('mask').map(({ invoked }) => invoked));
  const maskDone = done('mask') ?? Number.POSITIVE_INFINITY;
  if (of('mask').length === 0) return [];
  const lastsMs = (of('mask')[0]?.seconds ?? 0) * 1_000;
  return [
    {
      asked,
      done: maskDone,
      endAsked: Math.min(asked + lastsMs, ...of('unmask').map(({ invoked }) => invoked)),
      endDone: Math.min(maskDone + lastsMs, done('unmask') ?? Number.POSITIVE_INFINITY),
    },
  ];
}

function timesOf(
  { firstDue, closed, closedReason }: EscalationRow,
  { masks, acted = Date.now() }: { masks: readonly Mask[]; acted: number | undefined },
): Pick<EscalationStory, 'intervals' | 'silences'> {
  // Only these reasons end the calling.
  const isActedOn = closedReason === 'acknowledged' || closedReason === 'reset';
  const end = Math.min((isActedOn ? closed : null) ?? acted, acted);
  const starts = [firstDue, ...masks.map(({ endDone }) => Math.max(firstDue, endDone))];
  const ends = [...masks.map(({ asked }) => Math.min(asked, end)), end];
  return {
    intervals: starts
      .map((from, index) => ({ from, to: ends[index] ?? end }))
      .filter(({ from, to }) => from < to),
    silences: masks.map(({ done, endAsked }) => ({ from: done, to: endAsked })),
  };
}

/** The orders in an interval, including the uncertain times at its start and end. */
export function ordersIn({ orders, silences }: EscalationStory, { from, to }: Interval): OrderMade[] {
  const begun = Math.max(0, ...silences.map((silence) => silence.to).filter((time) => time <= from));
  const over = Math.min(...silences.map((silence) => silence.from).filter((time) => time >= to), Infinity);
  return orders.filter(({ at }) => at >= begun && at <= over);
}

/** Orders for one person after which the server may delay the next (limit of calls for a person). */
const throttledAfter = 10;

/** The users called so often in the run that the server may have throttled them. */
export function throttledPeople(stories: readonly EscalationStory[]): Set<string> {
  const calls = stories.flatMap(({ orders }) => orders.map(({ attempt }) => attempt));
  const byUser = Map.groupBy(calls, ({ tenantId, userId }) => `${tenantId} ${userId}`);
  return new Set([...byUser].filter(([, some]) => some.length > throttledAfter).map(([user]) => user));
}

/** Alarms of priority 1 are never throttled. */
export function isThrottled(
  { escalation, stages, priority }: EscalationStory,
  throttled: ReadonlySet<string>,
): boolean {
  if (priority === 1) return false;
  const userIds = stages.flatMap(({ shifts }) => shifts.flatMap((shift) => shift.userIds));
  return userIds.some((userId) => throttled.has(`${escalation.tenantId} ${userId}`));
}

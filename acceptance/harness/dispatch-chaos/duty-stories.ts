import { type GroupPolicy, stagesOf } from './call-policy.ts';
import type { ClientLine } from './client-log.ts';
import { type AttemptRow, attemptOf, type DutyRow, type Evidence } from './evidence.ts';

/** An order that a phone company heard, whatever it did about it. */
export type OrderMade = { at: number; isTaken: boolean; attempt: AttemptRow };

/** A time in which somebody must be called: until somebody acts, or masks the alarm. Epoch milliseconds. */
export type Stretch = { from: number; to: number };

/** A time in which the alarm is masked for certain, and nobody may be called. */
export type Silence = { from: number; to: number };

/** Everything about one duty, from the database, the clients and the companies. */
export type DutyStory = {
  duty: DutyRow;
  /** In the order of their numbers. */
  attempts: AttemptRow[];
  /** By the companies' logs, in the order of their times. */
  orders: OrderMade[];
  stretches: Stretch[];
  silences: Silence[];
  /** When a client heard that the alarm is acknowledged or reset. */
  acted: number | undefined;
  /** Whom its alarm calls, one group after the other. */
  stages: GroupPolicy[];
  priority: number;
};

const heard = ['accepted', 'declined', 'ignored', 'repeated'];

export function storiesOf(evidence: Evidence): DutyStory[] {
  const ordered = Map.groupBy(
    evidence.company.filter(({ event }) => heard.includes(event)),
    attemptOf,
  );
  const ordersOf = (attempt: AttemptRow): OrderMade[] =>
    (ordered.get(`${attempt.tenantId} ${attempt.sentAs ?? attempt.id}`) ?? []).map(({ at, event }) => ({
      at: Date.parse(at),
      isTaken: event === 'accepted',
      attempt,
    }));
  const byDuty = Map.groupBy(evidence.attempts, ({ tenantId, dutyId }) => `${tenantId} ${dutyId}`);
  const byAlarm = Map.groupBy(evidence.clients, ({ tenantId, alarmId }) => `${tenantId} ${alarmId}`);
  const byKey = Map.groupBy(evidence.clients, ({ tenantId, key }) => `${tenantId} ${key}`);
  return evidence.duties.map((duty) => {
    const { tenantId, id, tagId } = duty;
    const attempts = (byDuty.get(`${tenantId} ${id}`) ?? []).toSorted((one, other) => one.id - other.id);
    const about = byAlarm.get(`${tenantId} ${tagId}`) ?? [];
    const [known] = about;
    const lines = byKey.get(`${tenantId} ${known?.key}`) ?? [];
    const acted = about.find(
      ({ op, outcome }) => outcome === 'ok' && (op === 'acknowledge' || op === 'reset'),
    );
    return {
      duty,
      attempts,
      orders: attempts.flatMap(ordersOf).toSorted((one, other) => one.at - other.at),
      ...timesOf(duty, { masks: masksOf(lines), acted: acted?.ended }),
      acted: acted?.ended,
      priority: known?.priority ?? 0,
      stages: stagesOf(evidence.policy, tenantId, known?.groupId ?? 0),
    };
  });
}

/** Asked for at the earliest and done at the latest. */
type Mask = { asked: number; done: number; endAsked: number; endDone: number };

/** A client that insists may have been heard with its first request or with its last. */
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
  { firstDue, closed, closedReason }: DutyRow,
  { masks, acted = Date.now() }: { masks: readonly Mask[]; acted: number | undefined },
): Pick<DutyStory, 'stretches' | 'silences'> {
  // Nothing else ends the calling.
  const isActedOn = closedReason === 'acknowledged' || closedReason === 'reset';
  const end = Math.min((isActedOn ? closed : null) ?? acted, acted);
  const starts = [firstDue, ...masks.map(({ endDone }) => Math.max(firstDue, endDone))];
  const ends = [...masks.map(({ asked }) => Math.min(asked, end)), end];
  return {
    stretches: starts
      .map((from, index) => ({ from, to: ends[index] ?? end }))
      .filter(({ from, to }) => from < to),
    silences: masks.map(({ done, endAsked }) => ({ from: done, to: endAsked })),
  };
}

/** What was ordered in a stretch, or while nobody could know for certain that it had begun or ended. */
export function ordersIn({ orders, silences }: DutyStory, { from, to }: Stretch): OrderMade[] {
  const begun = Math.max(0, ...silences.map((silence) => silence.to).filter((time) => time <= from));
  const over = Math.min(...silences.map((silence) => silence.from).filter((time) => time >= to), Infinity);
  return orders.filter(({ at }) => at >= begun && at <= over);
}

/** Once so many orders for a person were made, the next of them may have to wait: the server spares people in a flood. */
const sparedAfter = 10;

/** The people of whom each was called so often in the run that the server may have spared them. */
export function sparedPeople(stories: readonly DutyStory[]): Set<string> {
  const calls = stories.flatMap(({ orders }) => orders.map(({ attempt }) => attempt));
  const byUser = Map.groupBy(calls, ({ tenantId, userId }) => `${tenantId} ${userId}`);
  return new Set([...byUser].filter(([, some]) => some.length > sparedAfter).map(([user]) => user));
}

/** The most urgent are never kept waiting. */
export function isSpared({ duty, stages, priority }: DutyStory, spared: ReadonlySet<string>): boolean {
  if (priority === 1) return false;
  const userIds = stages.flatMap(({ shifts }) => shifts.flatMap((shift) => shift.userIds));
  return userIds.some((userId) => spared.has(`${duty.tenantId} ${userId}`));
}

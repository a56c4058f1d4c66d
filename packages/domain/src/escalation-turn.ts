import type { CallPlan, Medium, MediumKind, Person, Stage } from './call-plan.ts';
import {
  type Attempt,
  type AttemptStatus,
  hasArrived,
  isRunning,
  longestAttemptSeconds,
  mayHaveReached,
  retrySecondsAfter,
  startedMs,
} from './delivery.ts';
import type { Facts, TargetState } from './escalation-state.ts';

/** What is to be done now about a person whose turn it is. */
export type TurnMove =
  | { kind: 'call'; medium: Medium; avoidChannels: number[] }
  | { kind: 'wait'; untilMs: number }
  /** The person has the message: nothing more to do but wait for the acknowledgment, if one is wanted. */
  | { kind: 'reached' }
  /** All tries are used up, or all media failed for good, and nobody can have been reached. */
  | { kind: 'spent' };

export type Turn = {
  until: CallPlan['until'];
  stage: Stage;
  person: Person;
  /** Tries of this person in this step, in order. */
  tries: readonly Attempt[];
  /** Tries of this person, from whatever step, that have not ended. */
  running: readonly Attempt[];
  state: Pick<TargetState, 'used' | 'dead'>;
  routes: Facts['routes'];
  down: ReadonlySet<MediumKind>;
};

/** Providers are asked about what is unknown; so long they have to answer. */
const askSeconds = 5;
/** So long a text may take to be reported as delivered, where nobody has to acknowledge. */
const receiptSeconds = 60;
const shortestShareSeconds = 15;
/** In one turn, whatever happens. */
const mostTries = 10;

export function moveOf(turn: Turn, nowMs: number): TurnMove {
  const { until, tries } = turn;
  if (tries.some(until === 'reached' ? hasArrived : isAcknowledged)) return { kind: 'reached' };

  const running = turn.running.filter((attempt) => !isLost(attempt, nowMs));
  const next = nextMedium(turn, running);
  const last = tries.at(-1);
  if (next === undefined || !mayTry(turn, next))
    return running.length > 0 ? waitFor(running, nowMs) : endOf(turn, last, nowMs);

  const dueMs = last ? nextTryMs(turn, { last, isFresh: next.isFresh, nowMs }) : nowMs;
  if (dueMs > nowMs) return { kind: 'wait', untilMs: dueMs };
  return { kind: 'call', medium: next.medium, avoidChannels: failedChannels(tries) };
}

export function isLost(attempt: Attempt, nowMs: number): boolean {
  return isRunning(attempt) && lostMs(attempt) <= nowMs;
}

/** By kind and address: media may be added, removed and put in another order while people are called. */
export function mediumKey(userId: number, { kind, address }: Medium): string {
  return `${userId}:${kind}:${address}`;
}

function isSame(one: Medium, other: Medium): boolean {
  return one.kind === other.kind && one.address === other.address;
}

/**
 * A try that was withdrawn, or of which nobody knows whether it was made, does not count: a dying server would use them
 * up. One that failed by a fault of its channel does not keep what was not tried yet from being tried.
 */
function mayTry({ tries, stage }: Turn, { isFresh }: NextMedium): boolean {
  if (tries.length >= mostTries) return false;
  const made = tries.filter(({ status }) => !uncounted.includes(status));
  const counted = isFresh ? made.filter(({ channelFault }) => !channelFault) : made;
  return counted.length < stage.attempts;
}

const uncounted: readonly AttemptStatus[] = ['unknown', 'cancelled'];

/** One that waits in our own queue stays there until it is its turn: the person is called late rather than not at all. */
function waitFor(running: readonly Attempt[], nowMs: number): TurnMove {
  const queuedMs = nowMs + longestAttemptSeconds * 1000;
  return { kind: 'wait', untilMs: Math.min(queuedMs, ...running.map(lostMs)) };
}

/** No further try: the person may still acknowledge if one of them can have got through. */
function endOf({ until, tries, stage }: Turn, last: Attempt | undefined, nowMs: number): TurnMove {
  const mayKnow = tries.some(mayHaveReached);
  if (!last || !mayKnow) return { kind: 'spent' };
  if (until === 'acknowledged') return { kind: 'wait', untilMs: Number.POSITIVE_INFINITY };
  const decidedMs = startedMs(last) + shareSeconds(until, stage) * 1000;
  return decidedMs > nowMs ? { kind: 'wait', untilMs: decidedMs } : { kind: 'reached' };
}

/** Tries are spread over the time to acknowledge, so that a message nobody reads is followed by a call. */
function shareSeconds(until: CallPlan['until'], { ackTimeoutSeconds, attempts }: Stage): number {
  if (until === 'reached') return receiptSeconds;
  return Math.max(shortestShareSeconds, Math.floor(ackTimeoutSeconds / attempts));
}

function nextTryMs(
  { until, stage, tries }: Turn,
  { last, isFresh, nowMs }: { last: Attempt; isFresh: boolean; nowMs: number },
): number {
  if (isLost(last, nowMs)) return nowMs;
  const endedMs = (last.endedAt ?? last.createdAt).getTime();
  if (last.status === 'unknown' && (isFresh || tries.length === 1)) return endedMs + askSeconds * 1000;
  if (mayHaveReached(last) || isRunning(last)) return startedMs(last) + shareSeconds(until, stage) * 1000;
  // Another medium need not wait for this one to get better.
  if (isFresh) return endedMs;
  return endedMs + retrySecondsAfter(tries.length) * 1000;
}

type NextMedium = {
  medium: Medium;
  /** Not yet tried in this step, or only by a channel that failed where there is another. */
  isFresh: boolean;
};

/**
 * The medium used least, in this step before ever; one whose channels are ill, or that failed for good, after the others.
 * A phone that still rings is not rung again.
 */
function nextMedium(
  { person, tries, state, routes, down }: Turn,
  running: readonly Attempt[],
): NextMedium | undefined {
  const candidates = person.media.flatMap((medium, place) => {
    const key = mediumKey(person.userId, medium);
    const own = tries.filter((attempt) => isSame(attempt.medium, medium));
    if (own.some(({ permanent }) => permanent)) return [];
    if (running.some((attempt) => isSame(attempt.medium, medium))) return [];
    const isDead = state.dead.includes(key);
    const order = [own.length, Number(down.has(medium.kind)), Number(isDead), state.used[key] ?? 0, place];
    const failed = own.filter(({ channelFault }) => channelFault).map(({ channelId }) => channelId);
    const others = routes?.get(medium.kind) ?? [];
    const hasOtherRoute =
      failed.length === own.length && others.length > own.length && others.some((id) => !failed.includes(id));
    return [{ medium, isFresh: own.length === 0 || hasOtherRoute, order }];
  });
  return candidates.toSorted((one, other) => compare(one.order, other.order))[0];
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

function lostMs(attempt: Attempt): number {
  if (attempt.status === 'queued') return Number.POSITIVE_INFINITY;
  return startedMs(attempt) + longestAttemptSeconds * 1000;
}

function isAcknowledged({ status }: Attempt): boolean {
  return status === 'acknowledged';
}

function failedChannels(tries: readonly Attempt[]): number[] {
  const failed = tries.filter((attempt) => !mayHaveReached(attempt));
  return [...new Set(failed.map(({ channelId }) => channelId))].filter((id) => id > 0);
}

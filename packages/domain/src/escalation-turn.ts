import type { CallPlan, Medium, MediumKind, Person, Stage } from './call-plan.ts';
import {
  type Attempt,
  hasArrived,
  isRunning,
  longestAttemptSeconds,
  mayHaveReached,
  retrySecondsAfter,
} from './delivery.ts';
import type { TargetState } from './escalation-state.ts';

/** What is to be done now about a person whose turn it is. */
export type TurnMove =
  | { kind: 'call'; place: number; medium: Medium; avoidChannels: number[] }
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
  const next = hasTriesLeft(turn) ? nextMedium(turn, running) : undefined;
  const last = tries.at(-1);
  if (next === undefined) return running.length > 0 ? waitFor(running) : endOf(turn, last, nowMs);

  const dueMs = last ? nextTryMs(turn, { last, isFresh: next.isFresh, nowMs }) : nowMs;
  if (dueMs > nowMs) return { kind: 'wait', untilMs: dueMs };
  const { place, medium } = next;
  return { kind: 'call', place, medium, avoidChannels: failedChannels(tries) };
}

export function isLost(attempt: Attempt, nowMs: number): boolean {
  return isRunning(attempt) && lostMs(attempt) <= nowMs;
}

export function mediumKey(userId: number, place: number): string {
  return `${userId}:${place}`;
}

export function placeOf({ media }: Person, { kind, address }: Medium): number {
  return media.findIndex((medium) => medium.kind === kind && medium.address === address);
}

/** A try of which nobody knows whether it was made does not count, or a dying server would use them up. */
function hasTriesLeft({ tries, stage }: Turn): boolean {
  const known = tries.filter(({ status }) => status !== 'unknown');
  return known.length < stage.attempts && tries.length < mostTries;
}

function waitFor(running: readonly Attempt[]): TurnMove {
  return { kind: 'wait', untilMs: Math.min(...running.map(lostMs)) };
}

/** No further try: the person may still acknowledge if one of them can have got through. */
function endOf({ until, tries, stage }: Turn, last: Attempt | undefined, nowMs: number): TurnMove {
  const mayKnow = tries.some(mayHaveReached);
  if (!last || !mayKnow) return { kind: 'spent' };
  if (until === 'acknowledged') return { kind: 'wait', untilMs: Number.POSITIVE_INFINITY };
  const decidedMs = last.createdAt.getTime() + shareSeconds(until, stage) * 1000;
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
  if (mayHaveReached(last) || isRunning(last))
    return last.createdAt.getTime() + shareSeconds(until, stage) * 1000;
  // Another medium need not wait for this one to get better.
  if (isFresh) return endedMs;
  return endedMs + retrySecondsAfter(tries.length) * 1000;
}

type NextMedium = { place: number; medium: Medium /** Not yet tried in this step. */; isFresh: boolean };

/**
 * The medium used least, in this step before ever; one whose channels are ill, or that failed for good, after the others.
 * A phone that still rings is not rung again.
 */
function nextMedium(
  { person, tries, state, down }: Turn,
  running: readonly Attempt[],
): NextMedium | undefined {
  const candidates = person.media.flatMap((medium, place) => {
    const key = mediumKey(person.userId, place);
    const own = tries.filter((attempt) => placeOf(person, attempt.medium) === place);
    if (own.some(({ permanent }) => permanent)) return [];
    if (running.some((attempt) => placeOf(person, attempt.medium) === place)) return [];
    const isDead = state.dead.includes(key);
    const order = [own.length, Number(down.has(medium.kind)), Number(isDead), state.used[key] ?? 0, place];
    return [{ place, medium, isFresh: own.length === 0, order }];
  });
  return candidates.toSorted((one, other) => compare(one.order, other.order))[0];
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

function lostMs({ createdAt }: Attempt): number {
  return createdAt.getTime() + longestAttemptSeconds * 1000;
}

function isAcknowledged({ status }: Attempt): boolean {
  return status === 'acknowledged';
}

function failedChannels(tries: readonly Attempt[]): number[] {
  const failed = tries.filter((attempt) => !mayHaveReached(attempt));
  return [...new Set(failed.map(({ channelId }) => channelId))].filter((id) => id > 0);
}

import type { CallPlan, Medium, Stage } from './call-plan.ts';
import {
  type Attempt,
  type AttemptStatus,
  hasArrived,
  isInQuietTime,
  isRunning,
  maxAttemptSeconds,
  maxTalkSeconds,
  mayHaveReached,
  retrySecondsAfter,
  startedMs,
} from './delivery.ts';
import { type MediumChoice, nextMedium, type PersonMedia } from './medium-choice.ts';

/** The next action for a person of the running step. */
export type PersonAction =
  | { kind: 'call'; medium: Medium; avoidChannels: number[] }
  | { kind: 'wait'; untilMs: number }
  /** The person has the message. An acknowledgment may still be awaited. */
  | { kind: 'reached' }
  /** All tries are used up, or all media failed permanently, and the person cannot have been reached. */
  | { kind: 'exhausted' };

export type PersonStep = PersonMedia & {
  until: CallPlan['until'];
  stage: Stage;
  /** Tries of this person in any step that have not ended. */
  running: readonly Attempt[];
};

/** Time for a provider to say whether an unknown attempt was made. */
const querySeconds = 5;
/** Time for a delivery receipt, where no acknowledgment is awaited. */
const receiptSeconds = 60;
const minShareSeconds = 15;
/** Per person and step, counted or not. */
const maxTries = 10;

export function nextAction(step: PersonStep, nowMs: number): PersonAction {
  const { until, tries } = step;
  if (tries.some(until === 'reached' ? hasArrived : isAcknowledged)) return { kind: 'reached' };
  if (tries.some(({ status }) => status === 'declined')) return { kind: 'exhausted' };

  const running = step.running.filter((attempt) => !isLost(attempt, nowMs));
  // A person who listens or types digits is not dialled again.
  if (running.some(({ status }) => status === 'answered')) return waitFor(running, nowMs);
  const quiet = running.filter((attempt) => isInQuietTime(attempt, nowMs));
  if (quiet.some(({ medium }) => medium.kind === 'Voice')) return waitForQuietEnd(quiet);
  const next = nextMedium(step, { running, hasQuietMessage: quiet.length > 0 });
  const last = tries.at(-1);
  if (next === undefined || !canTry(step, next))
    return running.length > 0 ? waitFor(running, nowMs) : afterLastTry(step, last, nowMs);

  const dueMs = last ? nextTryMs(step, { last, next, nowMs }) : nowMs;
  if (dueMs > nowMs) return { kind: 'wait', untilMs: dueMs };
  return { kind: 'call', medium: next.medium, avoidChannels: failedChannels(tries) };
}

export function isLost(attempt: Attempt, nowMs: number): boolean {
  return isRunning(attempt) && lostMs(attempt) <= nowMs;
}

/**
 * Cancelled and unknown tries do not count, because a crashing server would use them up. A try that failed by a fault
 * of its channel does not count against a medium or route that was not tried yet.
 */
function canTry({ tries, stage }: PersonStep, { isFresh }: MediumChoice): boolean {
  if (tries.length >= maxTries) return false;
  const made = tries.filter(({ status }) => !uncounted.includes(status));
  const counted = isFresh ? made.filter(({ channelFault }) => !channelFault) : made;
  return counted.length < stage.attempts;
}

const uncounted: readonly AttemptStatus[] = ['unknown', 'cancelled'];

/** An attempt in our own queue is never given up: the person is called late rather than not at all. */
function waitFor(running: readonly Attempt[], nowMs: number): PersonAction {
  const queuedMs = nowMs + maxAttemptSeconds * 1000;
  return { kind: 'wait', untilMs: Math.min(queuedMs, ...running.map(lostMs)) };
}

/** Somebody who has just heard of the tag in a call is not told again by another medium. */
function waitForQuietEnd(quiet: readonly Attempt[]): PersonAction {
  return { kind: 'wait', untilMs: Math.max(...quiet.map(startedMs)) };
}

/** No further try. The person may still acknowledge if one of the tries may have reached them. */
function afterLastTry(
  { until, tries, stage }: PersonStep,
  last: Attempt | undefined,
  nowMs: number,
): PersonAction {
  if (!last || !tries.some(mayHaveReached)) return { kind: 'exhausted' };
  if (until === 'acknowledged') return { kind: 'wait', untilMs: Number.POSITIVE_INFINITY };
  const decidedMs = startedMs(last) + shareSeconds(until, stage) * 1000;
  return decidedMs > nowMs ? { kind: 'wait', untilMs: decidedMs } : { kind: 'reached' };
}

/** Tries are spread over the time to acknowledge, so that a call follows a message that is not read. */
function shareSeconds(until: CallPlan['until'], { ackTimeoutSeconds, attempts }: Stage): number {
  if (until === 'reached') return receiptSeconds;
  return Math.max(minShareSeconds, Math.floor(ackTimeoutSeconds / attempts));
}

function nextTryMs(
  { until, stage, tries }: PersonStep,
  { last, next, nowMs }: { last: Attempt; next: MediumChoice; nowMs: number },
): number {
  const { isFresh, afterSeconds } = next;
  if (isLost(last, nowMs)) return nowMs;
  const endedMs = (last.endedAt ?? last.createdAt).getTime();
  if (last.status === 'unknown' && (isFresh || tries.length === 1)) return endedMs + querySeconds * 1000;
  // A rule of the person may ask for another wait, but not after a try that reached no telephone and no mailbox.
  if (afterSeconds !== undefined && last.status !== 'failed') return startedMs(last) + afterSeconds * 1000;
  if (mayHaveReached(last) || isRunning(last)) return startedMs(last) + shareSeconds(until, stage) * 1000;
  // Another medium need not wait for this one to recover.
  if (isFresh) return endedMs;
  return endedMs + retrySecondsAfter(tries.length) * 1000;
}

/** When an attempt that has not ended counts as lost; never while it is queued. */
export function lostMs(attempt: Attempt): number {
  if (attempt.status === 'queued') return Number.POSITIVE_INFINITY;
  if (attempt.answeredAt) return attempt.answeredAt.getTime() + maxTalkSeconds * 1000;
  return startedMs(attempt) + maxAttemptSeconds * 1000;
}

function isAcknowledged({ status }: Attempt): boolean {
  return status === 'acknowledged';
}

function failedChannels(tries: readonly Attempt[]): number[] {
  const failed = tries.filter((attempt) => !mayHaveReached(attempt));
  return [...new Set(failed.map(({ channelId }) => channelId))].filter((id) => id > 0);
}

import type { Medium } from './call-plan.ts';

/** The outcome of an attempt, as a channel or its provider reports it. */
export type AttemptOutcome =
  /** The provider has the message. Nobody has read or heard it yet. */
  | { kind: 'accepted' }
  | { kind: 'ringing' }
  /** The provider reports the arrival, which is not always true. */
  | { kind: 'delivered' }
  /** A person or a voice mail picked up. A call goes on until it is `ended`. */
  | { kind: 'answered' }
  /** The person confirmed the call. A call goes on until it is `ended`. */
  | { kind: 'acknowledged' }
  /** The person pressed "no": the next one is called at once. A call goes on until it is `ended`. */
  | { kind: 'declined' }
  /** The call was hung up. If nobody had picked up, as far as we know, nobody answered. */
  | {
      kind: 'ended';
      reason: string;
      wasAnswered?: boolean;
      /** The alarm of the attempt was said to its end. Absent if the provider does not know. */
      wasHeard?: boolean;
    }
  /** Nobody was called, or the alarm was not said: there was no free line, or the call ended before. It is no try. */
  | { kind: 'notNow'; reason: string }
  | { kind: 'busy' }
  | { kind: 'noAnswer' }
  /** The person, not the provider, rejected the call without picking up. */
  | { kind: 'refused'; reason: string }
  /** `permanent`: this address would fail again. `channelFault`: the channel failed, and nobody was called. */
  | { kind: 'failed'; permanent: boolean; channelFault?: boolean; reason: string }
  /** It is not known whether the message was sent. */
  | { kind: 'unknown'; reason: string };

export type AttemptStatus =
  | 'queued'
  | 'calling'
  | 'cancelled'
  | Exclude<AttemptOutcome['kind'], 'ended' | 'notNow'>;

/** An attempt that an escalation asks for, before it has an id. */
export type AttemptDraft = {
  /** Index into the plan's targets. */
  target: number;
  /** 0 for a single user. */
  groupId: number;
  /** Counts the steps of the target. */
  step: number;
  /** Counts the tries of one person within a step, from 1. */
  try: number;
  userId: number;
  medium: Medium;
  /** Channels that have just failed this person; another one is preferred. */
  avoidChannels: number[];
};

/** One try to reach one person by one medium, with at most one request to a provider. */
export type Attempt = Omit<AttemptDraft, 'groupId' | 'avoidChannels'> & {
  id: number;
  /** 0 before it is sent. */
  channelId: number;
  status: AttemptStatus;
  /** Only for `failed`. */
  permanent: boolean;
  /** Only for `failed`: the channel failed, not the address. */
  channelFault?: boolean;
  reason: string;
  /** Increases with each claim. A report with an older token comes from a dispatcher that lost the attempt. */
  fencingToken: number;
  createdAt: Date;
  /** When it was handed to a channel; absent while it is queued. */
  sentAt?: Date;
  /** When a person or a voice mail picked up. */
  answeredAt?: Date;
  /** When the dispatcher was done with it, or the call was hung up. Receipts may still arrive. */
  endedAt?: Date;
  /** Its escalation is closed: nobody needs to be reached any more. */
  isWithdrawn?: boolean;
  /** When the call in which the alarm was said ended. */
  heardAt?: Date;
  /** While it is queued: the person was just reached about the tag, so it is not sent before. */
  quietUntil?: Date;
};

export function queueAttempt(draft: AttemptDraft, id: number, now: Date): Attempt & AttemptDraft {
  return {
    ...draft,
    id,
    channelId: 0,
    status: 'queued',
    permanent: false,
    reason: '',
    fencingToken: 0,
    createdAt: now,
  };
}

/** Statuses after which the person may have the message; only `acknowledged` is certain. `unknown` is not among them. */
const reachingStatuses: readonly AttemptStatus[] = [
  'accepted',
  'ringing',
  'delivered',
  'answered',
  'acknowledged',
];
const arrivedStatuses: readonly AttemptStatus[] = ['delivered', 'answered', 'acknowledged'];

/** A call that nobody has picked up, or a message, that has not ended after this time counts as lost. */
export const maxAttemptSeconds = 120;
/** A call that somebody has picked up counts as lost after this time. */
export const maxTalkSeconds = 300;

const retrySeconds = 15;
const maxRetrySeconds = 30;

/** The wait after the `tries`-th try that reached nobody. */
export function retrySecondsAfter(tries: number): number {
  return Math.min(retrySeconds * Math.max(1, tries), maxRetrySeconds);
}

/** The time in the queue does not count, nor does the quiet time of a call. */
export function startedMs({ sentAt, createdAt, quietUntil, medium }: Attempt): number {
  if (sentAt || !quietUntil || medium.kind !== 'Voice') return (sentAt ?? createdAt).getTime();
  return Math.max(createdAt.getTime(), quietUntil.getTime());
}

/** Whether the attempt waits because the person was just reached about the tag. */
export function isInQuietTime({ status, quietUntil }: Attempt, nowMs: number): boolean {
  return status === 'queued' && quietUntil !== undefined && quietUntil.getTime() > nowMs;
}

export function isRunning({ endedAt }: Attempt): boolean {
  return endedAt === undefined;
}

export function mayHaveReached({ status }: Attempt): boolean {
  return reachingStatuses.includes(status);
}

export function hasArrived({ status }: Attempt): boolean {
  return arrivedStatuses.includes(status);
}

/** A report from a dispatcher has the fencing token of its claim; one from the provider has none. */
export type Report = { outcome: AttemptOutcome; fencingToken?: number | undefined };

export type Settlement =
  /** `shouldQuery`: the provider should be asked for the outcome. */
  | { kind: 'settled'; attempt: Attempt; shouldQuery: boolean }
  | { kind: 'unchanged' }
  /** The reporter has lost the attempt: its report must not be stored. */
  | { kind: 'stale' };

/** A report changes the status only to one of a higher rank. */
const rank: Record<AttemptStatus, number> = {
  queued: 0,
  calling: 1,
  unknown: 2,
  accepted: 3,
  ringing: 4,
  busy: 5,
  noAnswer: 5,
  refused: 5,
  failed: 5,
  cancelled: 6,
  delivered: 7,
  answered: 8,
  declined: 9,
  acknowledged: 10,
};

/**
 * Applies a report to an attempt. Reports arrive late, twice and in any order, so the status never goes back. An
 * acknowledgment counts even for a cancelled attempt.
 */
export function settle(attempt: Attempt, { outcome, fencingToken }: Report, now: Date): Settlement {
  if (fencingToken !== undefined && fencingToken < attempt.fencingToken) return { kind: 'stale' };
  if (outcome.kind === 'notNow') return requeue(attempt);
  if (outcome.kind === 'ended') return end(attempt, outcome, now);

  const endedAt = attempt.endedAt ?? (endsAttempt(outcome, attempt) ? now : undefined);
  const isNews = hasHigherRank(outcome, attempt);
  if (!isNews && endedAt === attempt.endedAt) return { kind: 'unchanged' };
  const times = { ...pickedUpAt(outcome, attempt, now), ...(endedAt && { endedAt }) };
  return {
    kind: 'settled',
    shouldQuery: outcome.kind === 'unknown',
    attempt: { ...attempt, ...(isNews && statusOf(outcome)), ...times },
  };
}

function pickedUpAt(
  { kind }: StatusOutcome,
  { answeredAt }: Attempt,
  now: Date,
): Pick<Attempt, 'answeredAt'> {
  if (answeredAt) return { answeredAt };
  return isPickedUp(kind) ? { answeredAt: now } : {};
}

/** Outcomes that become the status of an attempt. */
type StatusOutcome = Exclude<AttemptOutcome, { kind: 'ended' | 'notNow' }>;

function isPickedUp(kind: AttemptStatus): boolean {
  return kind === 'answered' || kind === 'acknowledged' || kind === 'declined';
}

/** Puts an attempt back into the queue, unless it has ended or the person has decided about it. */
function requeue({ sentAt: _sentAt, answeredAt: _answeredAt, ...attempt }: Attempt): Settlement {
  const isLive = isRunning(attempt) && attempt.status !== 'queued' && rank[attempt.status] <= rank.answered;
  if (!isLive) return { kind: 'unchanged' };
  return { kind: 'settled', shouldQuery: false, attempt: { ...attempt, status: 'queued', channelId: 0 } };
}

function end(
  attempt: Attempt,
  { reason, wasAnswered = false, wasHeard = false }: Omit<Extract<AttemptOutcome, { kind: 'ended' }>, 'kind'>,
  now: Date,
): Settlement {
  if (!isRunning(attempt)) return { kind: 'unchanged' };
  const hasReached = isPickedUp(attempt.status) || hasArrived(attempt);
  // We hung up on a telephone that rang, so nobody can say that the person did not answer.
  if (attempt.isWithdrawn && !hasReached && !wasAnswered)
    return { kind: 'settled', shouldQuery: false, attempt: cancel(attempt, now) };
  const unheard = wasAnswered ? 'answered' : 'noAnswer';
  const status = hasReached ? attempt.status : unheard;
  const ended = { ...attempt, status, reason, endedAt: now, ...(wasHeard && { heardAt: now }) };
  return { kind: 'settled', shouldQuery: false, attempt: ended };
}

function hasHigherRank(outcome: StatusOutcome, { status, endedAt }: Attempt): boolean {
  if (status === 'cancelled') return outcome.kind === 'acknowledged';
  // A call that lived in a server that died: nobody knows whether it rang.
  if (outcome.kind === 'unknown' && endedAt === undefined && rank[status] <= rank.ringing) return true;
  return rank[outcome.kind] > rank[status];
}

/** A call goes on while it rings and while the person listens; a text that was accepted is done. */
function endsAttempt({ kind }: StatusOutcome, { medium }: Attempt): boolean {
  if (medium.kind !== 'Voice') return true;
  return !(kind === 'accepted' || kind === 'ringing' || isPickedUp(kind));
}

function statusOf(outcome: StatusOutcome): Pick<Attempt, 'status' | 'permanent' | 'channelFault' | 'reason'> {
  return {
    status: outcome.kind,
    permanent: outcome.kind === 'failed' && outcome.permanent,
    ...(outcome.kind === 'failed' && outcome.channelFault && { channelFault: true }),
    reason: 'reason' in outcome ? outcome.reason : '',
  };
}

/** Ends an attempt that is withdrawn or hung up, because nobody needs to be called any more. */
export function cancel(attempt: Attempt, now: Date): Attempt {
  if (!isRunning(attempt)) return attempt;
  if (isPickedUp(attempt.status)) return { ...attempt, endedAt: now };
  return { ...attempt, status: 'cancelled', permanent: false, reason: '', endedAt: now };
}

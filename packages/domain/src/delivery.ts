import type { Medium } from './call-plan.ts';

/** What a channel, or the provider behind it, says became of a try. */
export type Outcome =
  /** The provider has it. Nobody has read or heard anything yet. */
  | { kind: 'accepted' }
  /** It is said to have arrived. Providers have been wrong about that. */
  | { kind: 'delivered' }
  /** Somebody, or a voice mail, took the call and pressed nothing. */
  | { kind: 'answered' }
  /** The person confirmed to have got the call. */
  | { kind: 'acknowledged' }
  | { kind: 'busy' }
  | { kind: 'noAnswer' }
  /** The person, not the provider, turned the call down. */
  | { kind: 'refused'; reason: string }
  /** `permanent`: trying this address again would fail again. `channelFault`: the channel failed, and nobody was disturbed. */
  | { kind: 'failed'; permanent: boolean; channelFault?: boolean; reason: string }
  /** Nobody can tell whether it was sent. */
  | { kind: 'unknown'; reason: string };

export type AttemptStatus = 'queued' | 'calling' | Outcome['kind'] | 'cancelled';

/** A try that escalation wants, before it has a number. */
export type AttemptDraft = {
  /** Place in the plan's targets. */
  target: number;
  /** 0 for a single user. */
  groupId: number;
  /** Counts the turns within the target. */
  step: number;
  /** Counts the tries of one person within a step, from 1. */
  try: number;
  userId: number;
  medium: Medium;
  /** Channels that have just failed this person: another is better, if there is one. */
  avoidChannels: number[];
};

/** One try to reach one person by one medium. At most one request to a provider is ever made for it. */
export type Attempt = Omit<AttemptDraft, 'groupId' | 'avoidChannels'> & {
  id: number;
  /** Which way it went; 0 before it is sent. */
  channelId: number;
  status: AttemptStatus;
  /** Only of a failed one. */
  permanent: boolean;
  /** Only of a failed one: the channel failed, not the address. */
  channelFault?: boolean;
  reason: string;
  /** Rises with each claim. Whoever reports with an older number has lost the attempt to another. */
  fence: number;
  createdAt: Date;
  /** When it was handed to a channel; absent while it waits in our own queue. */
  sentAt?: Date;
  /** When our part of it was over. Receipts may still come. */
  endedAt?: Date;
};

/** A draft on its way into the store. */
export function queueAttempt(draft: AttemptDraft, id: number, now: Date): Attempt & AttemptDraft {
  return {
    ...draft,
    id,
    channelId: 0,
    status: 'queued',
    permanent: false,
    reason: '',
    fence: 0,
    createdAt: now,
  };
}

/** Statuses after which the person may know; only an acknowledgment says so for certain. What is unknown is not among them. */
const reaching: readonly AttemptStatus[] = ['accepted', 'delivered', 'answered', 'acknowledged'];
const arrived: readonly AttemptStatus[] = ['delivered', 'answered', 'acknowledged'];

/** A try that was sent and neither ended nor was heard of for so long counts as lost. */
export const longestAttemptSeconds = 120;

const retrySeconds = 15;
const longestRetrySeconds = 30;

/** How long to wait after the `tries`-th try that reached nobody. */
export function retrySecondsAfter(tries: number): number {
  return Math.min(retrySeconds * Math.max(1, tries), longestRetrySeconds);
}

/** From when on its time counts: waiting in our own queue is nobody's try. */
export function startedMs({ sentAt, createdAt }: Attempt): number {
  return (sentAt ?? createdAt).getTime();
}

export function isRunning({ endedAt }: Attempt): boolean {
  return endedAt === undefined;
}

export function mayHaveReached({ status }: Attempt): boolean {
  return reaching.includes(status);
}

export function hasArrived({ status }: Attempt): boolean {
  return arrived.includes(status);
}

/** A report from whoever claimed the attempt carries his fence; one from the provider has none. */
export type Report = { outcome: Outcome; fence?: number | undefined };

export type Settlement =
  /** `ask`: the provider is to be asked what became of it. */
  | { kind: 'settled'; attempt: Attempt; ask: boolean }
  /** Nothing new. */
  | { kind: 'unchanged' }
  /** The reporter has lost the attempt. What he says must not be stored. */
  | { kind: 'stale' };

const rank: Record<AttemptStatus, number> = {
  queued: 0,
  calling: 1,
  unknown: 2,
  accepted: 3,
  busy: 4,
  noAnswer: 4,
  refused: 4,
  failed: 4,
  cancelled: 5,
  delivered: 6,
  answered: 7,
  acknowledged: 8,
};

/**
 * What a report makes of an attempt. Reports come late, twice and in any order; the attempt only ever gets to know
 * more. An acknowledgment is believed even of a call that was withdrawn.
 */
export function settle(attempt: Attempt, { outcome, fence }: Report, now: Date): Settlement {
  if (fence !== undefined && fence < attempt.fence) return { kind: 'stale' };

  const endedAt = attempt.endedAt ?? (endsAttempt(outcome, attempt) ? now : undefined);
  const told = tellsMore(outcome, attempt);
  if (!told && endedAt === attempt.endedAt) return { kind: 'unchanged' };
  return {
    kind: 'settled',
    ask: outcome.kind === 'unknown',
    attempt: { ...attempt, ...(told && statusOf(outcome)), ...(endedAt && { endedAt }) },
  };
}

function tellsMore(outcome: Outcome, { status }: Attempt): boolean {
  if (status === 'cancelled') return outcome.kind === 'acknowledged';
  return rank[outcome.kind] > rank[status];
}

/** A phone that a provider was asked to ring goes on ringing; a text is out of our hands. */
function endsAttempt(outcome: Outcome, { medium }: Attempt): boolean {
  return outcome.kind !== 'accepted' || medium.kind !== 'Voice';
}

function statusOf(outcome: Outcome): Pick<Attempt, 'status' | 'permanent' | 'channelFault' | 'reason'> {
  return {
    status: outcome.kind,
    permanent: outcome.kind === 'failed' && outcome.permanent,
    ...(outcome.kind === 'failed' && outcome.channelFault && { channelFault: true }),
    reason: 'reason' in outcome ? outcome.reason : '',
  };
}

/** Hung up or withdrawn, because nobody needs to be called any more. */
export function cancel(attempt: Attempt, now: Date): Attempt {
  if (!isRunning(attempt)) return attempt;
  return { ...attempt, status: 'cancelled', permanent: false, reason: '', endedAt: now };
}

import { wholeSecondsBetween } from '../time/duration.ts';

/** One occurrence of an alarm, as a history entry shows it. */
export type Occurrence = {
  id: number;
  tagId: number;
  raisedAt: Date;
  acknowledgedAt?: Date;
  /** The user's id. */
  acknowledgedBy?: number;
  resetAt?: Date;
};

/** Whole seconds. A duration is absent unless both its ends exist and are in order. */
export type Durations = {
  /** Raised to reset. */
  alarm?: number;
  /** Raised to acknowledged. */
  reaction?: number;
  /** Acknowledged to reset. */
  intervention?: number;
};

export function durationsOf({ raisedAt, acknowledgedAt, resetAt }: Occurrence): Durations {
  const alarm = between(raisedAt, resetAt);
  const reaction = between(raisedAt, acknowledgedAt);
  const intervention = between(acknowledgedAt, resetAt);
  return {
    ...(alarm !== undefined && { alarm }),
    ...(reaction !== undefined && { reaction }),
    ...(intervention !== undefined && { intervention }),
  };
}

function between(start: Date | undefined, end: Date | undefined): number | undefined {
  return start && end && wholeSecondsBetween(start, end);
}

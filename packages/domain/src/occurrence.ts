import { wholeSecondsBetween } from './duration.ts';

/** One life of an alarm, from raised to closed: what a history entry shows. */
export type Occurrence = {
  id: number;
  tagId: number;
  raisedAt: Date;
  acknowledgedAt?: Date;
  /** The user's id. */
  acknowledgedBy?: number;
  resetAt?: Date;
};

/** Whole seconds. Each is left out unless both of its ends exist and are in order. */
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

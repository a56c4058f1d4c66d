export type SubscribersCommand =
  | { kind: 'open'; port: number; token: string; subscribers: number; timed: number }
  | { kind: 'report' }
  | { kind: 'reset' };

export type SubscribersReport = {
  /** Alarms, over the subscribers that are timed. */
  delivered: number;
  /** From the moment the request was sent to the moment the alarm came, in milliseconds. */
  p50: number;
  p99: number;
  /** Minimum and maximum bytes of alarms of a subscriber. */
  minBytes: number;
  maxBytes: number;
  /** The last alarm of the timed subscriber that is furthest behind, and of the one furthest ahead. */
  lowest: number;
  highest: number;
  faults: string[];
};

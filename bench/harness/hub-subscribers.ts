export type SubscribersOrder =
  | { kind: 'open'; port: number; token: string; subscribers: number; timed: number }
  | { kind: 'report' }
  | { kind: 'reset' };

export type SubscribersReport = {
  /** Alarms, over the subscribers that are timed. */
  delivered: number;
  /** From the moment the request was sent to the moment the alarm came, in milliseconds. */
  p50: number;
  p99: number;
  /** Bytes of alarms that the subscriber with the fewest has, and the one with the most. */
  fewestBytes: number;
  mostBytes: number;
  /** The last alarm of the timed subscriber that is furthest behind, and of the one furthest ahead. */
  lowest: number;
  highest: number;
  faults: string[];
};

export type SubscribersOrder =
  | { kind: 'open'; port: number; token: string; subscribers: number }
  | { kind: 'report' }
  | { kind: 'reset' };

export type SubscribersReport = {
  /** Alarms, over all subscribers. */
  delivered: number;
  /** From the moment the request was sent to the moment the alarm came, in milliseconds. */
  p50: number;
  p99: number;
  /** The last alarm of the subscriber that is furthest behind, and of the one furthest ahead. */
  lowest: number;
  highest: number;
  faults: string[];
};

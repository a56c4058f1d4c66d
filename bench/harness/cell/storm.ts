import { askWorker } from '../worker.ts';

/** Alarms of many tenants from a process of its own: each request is of a tenant at random, by Zipf's law. */
export type Storm = {
  /** Of the servers. Requests for a server that is gone go to the next one. */
  ports: number[];
  /** Which server gets the requests of a tenant: the first one, one that depends on the tenant as at the edge of a cell, or any. */
  route: 'first' | 'by-tenant' | 'any';
  /** One of each tenant, the busiest first. */
  tokens: string[];
  clients: number;
  seconds: number;
  /** Requests a second over all clients; absent, each client sends as soon as it has its answer. */
  rate?: number;
  knownTags: number;
  /** The share of alarms whose people are called at once. */
  callShare: number;
  callGroups: number;
  /** Requests and new tags are numbered from here on. */
  firstNumber: number;
};

/** One second has so few alarms that a single slow statement decides on its p99. */
export const windowSeconds = 5;

export type StormOutcome = {
  /** The numbers of the requests that were answered with 200. */
  answered: number[];
  /** The numbers of requests whose connection failed before the answer; they were sent again. */
  unknown: number[];
  /** How many answers were not 200; these requests were sent again. */
  refused: number;
  /** How many of those that were answered ask for a call. */
  calls: number;
  /** When the first request was due, by the clock of the machine. */
  startedAt: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** Of the requests that were due in each second. */
  p99BySecond: number[];
  /** Of those that were due in that second and in the ones before it. */
  p99ByWindow: number[];
  /** The longest of these. */
  longestBySecond: number[];
};

export function runStorm(storm: Storm): Promise<StormOutcome> {
  return askWorker<StormOutcome>(new URL('./storm-worker.ts', import.meta.url), storm);
}

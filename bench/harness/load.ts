import type { BodyKind } from './bodies.ts';
import { askWorker } from './worker.ts';

/** A load of single posts from a process of its own. */
export type Load = {
  /** Of the servers; each client keeps to one, and the clients of a token are spread over them. */
  ports: number[];
  path: string;
  /** Assigned to the clients round-robin. */
  tokens: string[];
  body: BodyKind;
  clients: number;
  seconds: number;
  /** Requests a second over all clients; absent, each client sends as soon as it has its answer. */
  rate?: number;
  /** How many tags are known, to each token; the rest of the posts are on new ones. */
  knownTags: number;
  knownShare: number;
  /** Instead of a load for some seconds, each known tag is posted once, in order. */
  sweep?: boolean;
  /** New tags are numbered from here on. */
  firstNewTag: number;
  callGroupId: number;
  seed: number;
};

export type Outcome = {
  answered: number;
  refused: number;
  seconds: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** CPU milliseconds of the load itself for each answer. */
  clientCpuMs: number;
  /** By token, in the order given. */
  answeredPerToken: number[];
  p99PerToken: number[];
};

export function runLoad(load: Load): Promise<Outcome> {
  return askWorker<Outcome>(new URL('./load-worker.ts', import.meta.url), load);
}

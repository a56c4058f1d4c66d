import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A load on POST /alarms from a process of its own. */
export type Load = {
  port: number;
  path: string;
  tokens: string[];
  clients: number;
  seconds: number;
  /** Requests a second over all clients; absent, each client sends as soon as it has its answer. */
  rate?: number;
  /** How many tags are known; the rest of the posts (30 %) are on new ones. */
  knownTags: number;
  knownShare: number;
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
  /** By token, in the order given. */
  p99PerToken: number[];
};

export async function runLoad(load: Load): Promise<Outcome> {
  const worker = fork(fileURLToPath(new URL('./load-worker.ts', import.meta.url)), { execArgv: [] });
  worker.send(load);
  const [outcome] = (await once(worker, 'message')) as [Outcome];
  worker.disconnect();
  await once(worker, 'exit');
  return outcome;
}

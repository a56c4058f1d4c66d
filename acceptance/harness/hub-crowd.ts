import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FollowerSettings } from './hub-follower.ts';

export type CrowdOrder =
  | { kind: 'open'; followers: FollowerSettings[] }
  | { kind: 'report' }
  | { kind: 'stop' };

/** How its followers stand, in the order they were given. */
export type CrowdReport = {
  live: number;
  reconnects: number;
  begun: number[];
  last: number[];
  faults: string[];
};

export type Crowd = {
  report(): Promise<CrowdReport>;
  close(): Promise<void>;
};

const worker = fileURLToPath(new URL('hub-crowd-worker.ts', import.meta.url));

/** Followers in a process of their own, all of them live. */
export async function gatherCrowd(followers: FollowerSettings[]): Promise<Crowd> {
  const child = fork(worker, { execArgv: ['--conditions=source'], stdio: 'inherit' });
  let turn: Promise<unknown> = Promise.resolve();
  const ask = (order: CrowdOrder): Promise<CrowdReport> => {
    const answered = turn.then(async () => {
      child.send(order);
      const [report] = (await once(child, 'message')) as [CrowdReport];
      return report;
    });
    turn = answered;
    return answered;
  };
  await ask({ kind: 'open', followers });
  return {
    report: () => ask({ kind: 'report' }),
    close: async () => {
      await ask({ kind: 'stop' });
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

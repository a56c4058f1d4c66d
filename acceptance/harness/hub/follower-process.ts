import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FollowerSettings } from './follower.ts';

export type FollowerCommand =
  | { kind: 'open'; followers: FollowerSettings[] }
  | { kind: 'report' }
  | { kind: 'stop' };

/** The progress of the followers, in the order of their settings. */
export type FollowerReport = {
  live: number;
  reconnects: number;
  begun: number[];
  last: number[];
  faults: string[];
};

export type FollowerProcess = {
  report(): Promise<FollowerReport>;
  close(): Promise<void>;
};

const worker = fileURLToPath(new URL('follower-worker.ts', import.meta.url));

/** Starts followers in their own process and waits until all are live. */
export async function startFollowers(followers: FollowerSettings[]): Promise<FollowerProcess> {
  const child = fork(worker, { execArgv: ['--conditions=source'], stdio: 'inherit' });
  let previous: Promise<unknown> = Promise.resolve();
  const ask = (command: FollowerCommand): Promise<FollowerReport> => {
    const answered = previous.then(async () => {
      child.send(command);
      const [report] = (await once(child, 'message')) as [FollowerReport];
      return report;
    });
    previous = answered;
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

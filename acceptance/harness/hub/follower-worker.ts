/** Runs many followers in their own process, so that the test does not slow them down. */

import { Follower } from './follower.ts';
import type { FollowerCommand, FollowerReport } from './follower-process.ts';

let followers: Follower[] = [];

process.on('message', (command: FollowerCommand) => void handle(command));
process.once('disconnect', () => process.exit());

async function handle(command: FollowerCommand): Promise<void> {
  if (command.kind === 'open') await open(command.followers);
  if (command.kind === 'stop') for (const follower of followers) follower.stop();
  process.send?.(report());
}

/** Opens 50 at a time, because a server that has just started refuses hundreds at once. */
async function open(settings: Extract<FollowerCommand, { kind: 'open' }>['followers']): Promise<void> {
  followers = settings.map((each) => new Follower(each));
  for (let start = 0; start < followers.length; start += 50) {
    const some = followers.slice(start, start + 50);
    await Promise.all(some.map((follower) => follower.open()));
    while (some.some(({ isLive }) => !isLive)) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function report(): FollowerReport {
  return {
    live: followers.filter(({ isLive }) => isLive).length,
    reconnects: followers.reduce((sum, { reconnects }) => sum + reconnects, 0),
    begun: followers.map(({ begun }) => begun),
    last: followers.map(({ last }) => last),
    faults: followers.flatMap(({ faults }) => faults).slice(0, 20),
  };
}

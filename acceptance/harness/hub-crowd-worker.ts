/** Many followers in a process of their own, so that the test does not slow them down. */

import type { CrowdOrder, CrowdReport } from './hub-crowd.ts';
import { Follower } from './hub-follower.ts';

let followers: Follower[] = [];

process.on('message', (order: CrowdOrder) => void obey(order));
process.once('disconnect', () => process.exit());

async function obey(order: CrowdOrder): Promise<void> {
  if (order.kind === 'open') await open(order.followers);
  if (order.kind === 'stop') for (const follower of followers) follower.stop();
  process.send?.(report());
}

/** A few at a time: a server that has just started would refuse hundreds at once. */
async function open(settings: Extract<CrowdOrder, { kind: 'open' }>['followers']): Promise<void> {
  followers = settings.map((each) => new Follower(each));
  for (let start = 0; start < followers.length; start += 50) {
    const some = followers.slice(start, start + 50);
    await Promise.all(some.map((follower) => follower.open()));
    while (some.some(({ isLive }) => !isLive)) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function report(): CrowdReport {
  return {
    live: followers.filter(({ isLive }) => isLive).length,
    reconnects: followers.reduce((sum, { reconnects }) => sum + reconnects, 0),
    begun: followers.map(({ begun }) => begun),
    last: followers.map(({ last }) => last),
    faults: followers.flatMap(({ faults }) => faults).slice(0, 20),
  };
}

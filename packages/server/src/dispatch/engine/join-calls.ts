import type { ChannelOutcome } from '../../channels/port/outcome.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { reportsOf } from '../outcomes/call-reports.ts';
import { lockAttempts } from '../outcomes/settle.store.ts';
import { settleAttempts } from '../outcomes/settle-attempts.ts';
import type { Dispatch } from './dispatch.ts';
import { forEachTenantInParallel } from './for-each-tenant.ts';
import { byTenant, leaseMs } from './lease.store.ts';
import type { LiveCall } from './live-calls.ts';
import { claimJoiningAttempts, type JoiningAttempt } from './phone-line.store.ts';

const tooLate: ChannelOutcome = { kind: 'notNow', reason: 'the call was about to end', retryAfterSeconds: 0 };

/**
 * Tells people whose telephone rings or who listen of further alarms that wait for this telephone, so that one call carries
 * all of them. Returns how many alarms joined a call.
 */
export async function joinCalls(dispatch: Dispatch): Promise<number> {
  const open = dispatch.calls
    .all()
    .filter(({ channel, takesAlarms, isEnding }) => channel.channel.announce && takesAlarms && !isEnding);
  const joined = await forEachTenantInParallel(byTenant(open), dispatch.runtime.log, (tenantId, calls) =>
    joinForTenant(dispatch, tenantId, calls),
  );
  return joined.reduce((sum, count) => sum + count, 0);
}

async function joinForTenant(
  dispatch: Dispatch,
  tenantId: number,
  calls: readonly LiveCall[],
): Promise<number> {
  const { runtime, node } = dispatch;
  const wanted = calls.map(({ attemptId, address, userId, channel }) => ({
    attemptId,
    address,
    userId,
    channelId: channel.id,
  }));
  const joining = await inTenant(runtime.database, tenantId, (transaction) =>
    claimJoiningAttempts(transaction, wanted, {
      node,
      leaseUntil: new Date(transaction.now.getTime() + leaseMs),
    }),
  );
  const byCall = [...Map.groupBy(joining, ({ sentAs }) => sentAs)];
  await Promise.all(byCall.map(([sentAs, some]) => announce(dispatch, { tenantId, sentAs }, some)));
  return joining.length;
}

async function announce(
  { runtime, calls, names, metrics }: Dispatch,
  { tenantId, sentAs }: { tenantId: number; sentAs: number },
  joining: readonly JoiningAttempt[],
): Promise<void> {
  const call = calls.find(tenantId, sentAs);
  const alarms = joining.map(({ id, tagId, priority, message }) => ({
    id: tagId,
    attemptId: names.nameOf(tenantId, id),
    priority,
    message: message.text,
    audio: message.audio,
  }));
  const isTold = (await call?.channel.channel.announce?.(call.leg, alarms)) ?? false;
  const { changes } = await inTenant(runtime.database, tenantId, async (transaction) => {
    const leader = (await lockAttempts(transaction, [sentAs])).get(sentAs);
    // The joined attempts have the state of their call from now on; if it has ended meanwhile, they wait again.
    const isOpen = isTold && leader !== undefined && leader.endedAt === undefined;
    const outcome: ChannelOutcome = isOpen ? liveOutcome(leader.status) : tooLate;
    return settleAttempts(transaction, reportsOf(outcome, joining, names));
  });
  const called = joining.map(() => ({ medium: 'Voice', outcome: 'calling' }));
  metrics.countAttempts([...called, ...changes]);
}

function liveOutcome(status: string): ChannelOutcome {
  if (status === 'answered' || status === 'acknowledged' || status === 'declined')
    return { kind: 'answered', reference: '' };
  return { kind: status === 'ringing' ? 'ringing' : 'accepted', reference: '' };
}

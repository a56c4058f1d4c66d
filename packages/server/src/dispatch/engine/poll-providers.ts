import { isLost } from '@tocsin/domain';
import type { ChannelOutcome } from '../../channels/port/outcome.ts';
import { inTenant, outsideTenants } from '../../postgres/tenant-transaction.ts';
import { reportsOf } from '../outcomes/call-reports.ts';
import { type LockedAttempt, lockAttempts } from '../outcomes/settle.store.ts';
import { settleAttempts } from '../outcomes/settle-attempts.ts';
import type { Dispatch } from './dispatch.ts';
import { forEachTenantInParallel } from './for-each-tenant.ts';
import { byTenant, claimAcceptedCalls } from './lease.store.ts';

const queryMs = 3_000;
const lost: ChannelOutcome = { kind: 'ended', reference: '', reason: 'the provider does not report its end' };

/** Polls providers for the status of calls that they accepted: not every provider calls back, and a report may get lost. */
export async function pollProviders(dispatch: Dispatch, wanted: number): Promise<number> {
  const { database, log } = dispatch.runtime;
  const claims = await outsideTenants(database, (outside) => claimAcceptedCalls(outside, wanted));
  await forEachTenantInParallel(byTenant(claims), log, (tenantId, some) =>
    pollForTenant(
      dispatch,
      tenantId,
      some.map(({ id }) => id),
    ),
  );
  return claims.length;
}

async function pollForTenant(dispatch: Dispatch, tenantId: number, ids: readonly number[]): Promise<void> {
  const { names } = dispatch;
  const { database } = dispatch.runtime;
  const { attempts, channels, now } = await inTenant(database, tenantId, async (transaction) => ({
    attempts: [...(await lockAttempts(transaction, ids)).values()],
    channels: await dispatch.channels.of(transaction),
    now: transaction.now,
  }));
  // Several attempts may share one call: it is polled once, and its outcome holds for all of them.
  const calls = [...Map.groupBy(attempts, ({ sentAs }) => sentAs)];
  const reports = await Promise.all(
    calls.map(async ([sentAs, some]) => {
      const channel = channels.find(({ id }) => id === some[0]?.channelId)?.channel;
      const signal = AbortSignal.timeout(queryMs);
      const reference = some[0]?.reference ?? '';
      const leg = { attemptId: dispatch.names.nameOf(tenantId, sentAs), reference };
      const reported = await channel?.query?.(leg, signal);
      // A call that has gone on for too long to be true would keep its telephone busy for ever.
      if (isLive(reported) && some.some((attempt) => isLost(attempt, now.getTime())))
        return reportsOf(lost, withoutTokens(some), names);
      if (!reported || reported.kind === 'unknown' || reported.kind === 'accepted') return [];
      const outcome = await dispatch.judgeAnswer({ tenantId, attemptId: sentAs, outcome: reported });
      return reportsOf(outcome, withoutTokens(some), names);
    }),
  );
  const { changes } = await inTenant(database, tenantId, (transaction) =>
    settleAttempts(transaction, reports.flat()),
  );
  dispatch.metrics.countAttempts(changes);
}

/** Whether the call goes on, as far as the provider knows. */
function isLive(reported: ChannelOutcome | undefined): boolean {
  return !reported || ['unknown', 'accepted', 'ringing', 'answered'].includes(reported.kind);
}

/** What a provider reports holds whoever has claimed the attempts. */
function withoutTokens(attempts: readonly LockedAttempt[]): { id: number }[] {
  return attempts.map(({ id }) => ({ id }));
}

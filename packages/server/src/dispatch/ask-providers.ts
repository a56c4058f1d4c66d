import type { Outcome } from '../channels/channel.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { type LockedAttempt, lockAttempts } from './delivery.store.ts';
import type { Dispatch } from './dispatch.ts';
import { judgeOutcome } from './judge-outcome.ts';
import { byTenant, takeAcceptedCalls } from './lease.store.ts';
import { referenceOf, toldBy } from './outcome.wire.ts';
import { type AttemptReport, settleAttempts } from './settle-attempts.ts';
import { eachTenant } from './work-through.ts';

const askMs = 3_000;

/** Asks providers what has become of calls that they accepted: not every one calls back, and what it says may get lost. */
export async function askProviders(dispatch: Dispatch, wanted: number): Promise<number> {
  const { database, log } = dispatch.runtime;
  const taken = await outsideTenants(database, (outside) => takeAcceptedCalls(outside, wanted));
  await eachTenant(byTenant(taken), log, (tenantId, some) =>
    askForTenant(
      dispatch,
      tenantId,
      some.map(({ id }) => id),
    ),
  );
  return taken.length;
}

async function askForTenant(dispatch: Dispatch, tenantId: number, ids: readonly number[]): Promise<void> {
  const { database } = dispatch.runtime;
  const { attempts, channels } = await inTenant(database, tenantId, async (transaction) => ({
    attempts: [...(await lockAttempts(transaction, ids)).values()],
    channels: await dispatch.channels.of(transaction),
  }));
  // Several attempts may be one call: it is asked about once, and its answer is that of all.
  const calls = [...Map.groupBy(attempts, ({ sentAs }) => sentAs)];
  const reports = await Promise.all(
    calls.map(async ([sentAs, some]) => {
      const channel = channels.find(({ id }) => id === some[0]?.channelId)?.channel;
      const signal = AbortSignal.timeout(askMs);
      const told = await channel?.query?.(dispatch.names.nameOf(tenantId, sentAs), signal);
      // Whoever does not know, or still rings, tells nothing new.
      if (!told || told.kind === 'unknown' || told.kind === 'accepted') return [];
      const { outcome } = await judgeOutcome(dispatch, { tenantId, attemptId: sentAs, outcome: told });
      return some.map((attempt) => reportOf(attempt, outcome));
    }),
  );
  await inTenant(database, tenantId, (transaction) => settleAttempts(transaction, reports.flat()));
}

function reportOf({ id: attemptId }: LockedAttempt, outcome: Outcome): AttemptReport {
  return { attemptId, report: { outcome: toldBy(outcome) }, reference: referenceOf(outcome) };
}

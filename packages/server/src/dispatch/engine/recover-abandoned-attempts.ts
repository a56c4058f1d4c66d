import type { ChannelOutcome, LegReference } from '../../channels/port/outcome.ts';
import { inTenant, outsideTenants } from '../../postgres/tenant-transaction.ts';
import { reportsOf } from '../outcomes/call-reports.ts';
import type { ReportedOutcome } from '../outcomes/reported-outcome.ts';
import { lockAttempts } from '../outcomes/settle.store.ts';
import { settleAttempts } from '../outcomes/settle-attempts.ts';
import type { Dispatch } from './dispatch.ts';
import { forEachTenantInParallel } from './for-each-tenant.ts';
import { byTenant, type Claim, claimAbandonedAttempts } from './lease.store.ts';
import type { TenantChannel } from './tenant-channels.ts';

const queryMs = 3_000;
const lost: ChannelOutcome = { kind: 'unknown', reason: 'the dispatcher fell silent while it was calling' };

/**
 * Settles attempts whose dispatcher died between storing that it calls and storing the outcome, or while the call lived in
 * it. The provider is asked for the outcome; if it does not know it either, the escalation calls again.
 */
export async function recoverAbandonedAttempts(dispatch: Dispatch, wanted: number): Promise<number> {
  const { database } = dispatch.runtime;
  const claims = await outsideTenants(database, (outside) => claimAbandonedAttempts(outside, wanted));
  await forEachTenantInParallel(byTenant(claims), dispatch.runtime.log, (tenantId, some) =>
    recover(dispatch, tenantId, some),
  );
  return claims.length;
}

async function recover(dispatch: Dispatch, tenantId: number, claims: readonly Claim[]): Promise<void> {
  const { database } = dispatch.runtime;
  const { attempts, channels } = await inTenant(database, tenantId, async (transaction) => ({
    attempts: await lockAttempts(
      transaction,
      claims.map(({ id }) => id),
    ),
    channels: await dispatch.channels.of(transaction),
  }));
  const reports = await Promise.all(
    claims.map(async ({ id, fencingToken }) => {
      const { channelId, sentAs = id, reference = '' } = attempts.get(id) ?? {};
      const channel = channels.find((one) => one.id === channelId);
      const leg = { attemptId: dispatch.names.nameOf(tenantId, sentAs), reference };
      const reported = await queryOutcome(channel, leg);
      const outcome = await judge(dispatch, { tenantId, attemptId: sentAs, outcome: reported }, id);
      return reportsOf(outcome, [{ id, fencingToken }], dispatch.names);
    }),
  );
  const { changes } = await inTenant(database, tenantId, (transaction) =>
    settleAttempts(transaction, reports.flat()),
  );
  dispatch.metrics.countAttempts(changes);
}

/** The answer to a message that was sent for several attempts is judged once, for the attempt that names it. */
async function judge(
  dispatch: Dispatch,
  reported: ReportedOutcome,
  attemptId: number,
): Promise<ChannelOutcome> {
  const { outcome } = reported;
  if (reported.attemptId === attemptId) return dispatch.judgeAnswer(reported);
  if (outcome.kind !== 'acknowledged') return outcome;
  const { reference, isOver = false } = outcome;
  return isOver
    ? { kind: 'ended', reference, reason: '', wasAnswered: true }
    : { kind: 'answered', reference };
}

async function queryOutcome(channel: TenantChannel | undefined, leg: LegReference): Promise<ChannelOutcome> {
  return (await channel?.channel.query?.(leg, AbortSignal.timeout(queryMs))) ?? lost;
}

import { cancel, isRunning } from '@tocsin/domain';
import type { Farewell } from '../../channels/port/channel.ts';
import { inTenant, outsideTenants, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { AttemptChange } from '../outcomes/call-metrics.ts';
import {
  type LockedAttempt,
  listFarewells,
  listNeededCalls,
  lockAttempts,
  saveSettled,
} from '../outcomes/settle.store.ts';
import { changeOf } from '../outcomes/settle-attempts.ts';
import type { Dispatch } from './dispatch.ts';
import { forEachTenantInParallel } from './for-each-tenant.ts';
import { byTenant, listHangUps } from './lease.store.ts';
import type { LiveCall } from './live-calls.ts';
import type { TenantChannel } from './tenant-channels.ts';

const hangUpMs = 3_000;

/**
 * Ends calls whose escalation is closed. A call that is being sent is ended once it was sent, and a call about several
 * alarms is ended with the last of them.
 */
export async function hangUpCalls(dispatch: Dispatch, wanted: number): Promise<number> {
  const { database } = dispatch.runtime;
  const found = await outsideTenants(database, (outside) => listHangUps(outside, wanted, dispatch.node));
  const ended = await forEachTenantInParallel(byTenant(found), dispatch.runtime.log, (tenantId, some) =>
    hangUp(
      dispatch,
      tenantId,
      some.map(({ id }) => id),
    ),
  );
  return ended.reduce((sum, count) => sum + count, 0);
}

type HangUps = {
  attempts: LockedAttempt[];
  channels: readonly TenantChannel[];
  /** Calls that are still needed for another alarm. */
  needed: ReadonlySet<number>;
  farewells: ReadonlyMap<number, Farewell>;
};

async function hangUp(dispatch: Dispatch, tenantId: number, ids: readonly number[]): Promise<number> {
  const { database } = dispatch.runtime;
  const found = await inTenant(database, tenantId, async (transaction): Promise<HangUps> => {
    const locked = [...(await lockAttempts(transaction, ids)).values()];
    const attempts = locked.filter(({ status }) => status !== 'calling');
    const calls = attempts.map(({ sentAs }) => sentAs);
    return {
      attempts,
      channels: await dispatch.channels.of(transaction),
      needed: await listNeededCalls(transaction, calls),
      farewells: await listFarewells(transaction, calls),
    };
  });
  const ended = await endCalls(dispatch, tenantId, found);
  if (ended.length > 0) {
    const changes = await inTenant(database, tenantId, (transaction) => cancelRunning(transaction, ended));
    dispatch.metrics.countAttempts(changes);
  }
  return ended.length;
}

/** The end of a call may have been reported meanwhile; it must not be told to clients twice. */
async function cancelRunning(
  transaction: TenantTransaction,
  ended: readonly { id: number }[],
): Promise<AttemptChange[]> {
  const ids = ended.map(({ id }) => id);
  const running = [...(await lockAttempts(transaction, ids)).values()].filter(isRunning);
  const cancelled = running.map((before) => ({
    before,
    attempt: cancel(before, transaction.now),
    escalationId: before.escalationId,
    reference: '',
  }));
  if (cancelled.length > 0) await saveSettled(transaction, cancelled);
  // What we end ourselves is no outcome to count.
  const changes = cancelled.flatMap(({ before, attempt }) => changeOf(transaction, before, attempt));
  return changes.map(({ medium, outcome, ended: traced }) => ({
    medium,
    outcome,
    ended: traced,
    isSameStatus: true,
  }));
}

/**
 * Tells the channels to end the calls. Returns the attempts that have ended with that: a call that lives in this process
 * says goodbye first and reports its end itself.
 */
async function endCalls(dispatch: Dispatch, tenantId: number, found: HangUps): Promise<LockedAttempt[]> {
  const byCall = [...Map.groupBy(found.attempts, ({ sentAs }) => sentAs)];
  const ended = await Promise.all(
    byCall.map(async ([sentAs, attempts]) => {
      if (found.needed.has(sentAs)) return attempts;
      const farewell = found.farewells.get(sentAs);
      const live = dispatch.calls.find(tenantId, sentAs);
      if (live) {
        await endLiveCall(live, farewell);
        return [];
      }
      const route = found.channels.find(({ id }) => id === attempts[0]?.channelId);
      const reference = attempts[0]?.reference ?? '';
      const leg = { attemptId: dispatch.names.nameOf(tenantId, sentAs), reference };
      await route?.channel.hangUp?.(leg, AbortSignal.timeout(hangUpMs), farewell);
      return attempts;
    }),
  );
  return ended.flat();
}

async function endLiveCall(call: LiveCall, farewell: Farewell | undefined): Promise<void> {
  if (call.isEnding) return;
  call.isEnding = true;
  await call.channel.channel.hangUp?.(call.leg, AbortSignal.timeout(hangUpMs), farewell);
}

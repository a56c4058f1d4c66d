import { cancel } from '@tocsin/domain';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { listWantedCalls, lockAttempts, saveSettled } from './delivery.store.ts';
import type { Dispatch } from './dispatch.ts';
import { byTenant, listHangUps } from './lease.store.ts';
import { eachTenant } from './work-through.ts';

const hangUpMs = 3_000;

/**
 * Ends calls that nobody needs any more. One that is just being sent is ended as soon as it was, and one that tells of
 * several alarms when the last of them needs nobody.
 */
export async function hangUpCalls(dispatch: Dispatch, wanted: number): Promise<number> {
  const { database } = dispatch.runtime;
  const found = await outsideTenants(database, (outside) => listHangUps(outside, wanted));
  const ended = await eachTenant(byTenant(found), dispatch.runtime.log, (tenantId, some) =>
    hangUp(
      dispatch,
      tenantId,
      some.map(({ id }) => id),
    ),
  );
  return ended.reduce((sum, count) => sum + count, 0);
}

async function hangUp(dispatch: Dispatch, tenantId: number, ids: readonly number[]): Promise<number> {
  const { database } = dispatch.runtime;
  const { attempts, channels, wanted } = await inTenant(database, tenantId, async (transaction) => {
    const locked = [...(await lockAttempts(transaction, ids)).values()];
    const placed = locked.filter(({ status }) => status !== 'calling');
    const calls = placed.map(({ sentAs }) => sentAs);
    const wanted = await listWantedCalls(transaction, calls);
    return { attempts: placed, channels: await dispatch.channels.of(transaction), wanted };
  });
  const ringing = new Map(attempts.map(({ sentAs, channelId }) => [sentAs, channelId]));
  await Promise.all(
    [...ringing].map(async ([sentAs, channelId]) => {
      const route = wanted.has(sentAs) ? undefined : channels.find((one) => one.id === channelId);
      await route?.channel.hangUp?.(dispatch.names.nameOf(tenantId, sentAs), AbortSignal.timeout(hangUpMs));
    }),
  );
  if (attempts.length === 0) return 0;
  await inTenant(database, tenantId, async (transaction) => {
    const fresh = await lockAttempts(
      transaction,
      attempts.map(({ id }) => id),
    );
    const ended = [...fresh.values()].map(({ dutyId, ...attempt }) => ({
      attempt: cancel(attempt, transaction.now),
      dutyId,
      reference: '',
    }));
    await saveSettled(transaction, ended);
  });
  return attempts.length;
}

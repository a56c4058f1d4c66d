import type { Outcome } from '../channels/channel.ts';
import { inTenant, outsideTenants } from '../postgres/tenant-transaction.ts';
import { lockAttempts } from './delivery.store.ts';
import type { Dispatch } from './dispatch.ts';
import { judgeOutcome, type ToldOutcome } from './judge-outcome.ts';
import { byTenant, type Taken, takeStrayAttempts } from './lease.store.ts';
import { referenceOf, toldBy } from './outcome.wire.ts';
import { settleAttempts } from './settle-attempts.ts';
import type { TenantChannel } from './tenant-channels.ts';
import { eachTenant } from './work-through.ts';

const askMs = 3_000;
const lost: Outcome = { kind: 'unknown', reason: 'the dispatcher fell silent while it was calling' };

/**
 * Attempts whose dispatcher died between writing down that it calls and what came of it. The provider is asked; if
 * it does not know, nobody does, and the escalation calls again.
 */
export async function recoverStrays(dispatch: Dispatch, wanted: number): Promise<number> {
  const { database } = dispatch.runtime;
  const taken = await outsideTenants(database, (outside) => takeStrayAttempts(outside, wanted));
  await eachTenant(byTenant(taken), dispatch.runtime.log, (tenantId, some) =>
    recover(dispatch, tenantId, some),
  );
  return taken.length;
}

async function recover(dispatch: Dispatch, tenantId: number, taken: readonly Taken[]): Promise<void> {
  const { database } = dispatch.runtime;
  const { attempts, channels } = await inTenant(database, tenantId, async (transaction) => ({
    attempts: await lockAttempts(
      transaction,
      taken.map(({ id }) => id),
    ),
    channels: await dispatch.channels.of(transaction),
  }));
  const reports = await Promise.all(
    taken.map(async ({ id, fence }) => {
      const { channelId, sentAs = id } = attempts.get(id) ?? {};
      const channel = channels.find((one) => one.id === channelId);
      const told = await ask(channel, dispatch.names.nameOf(tenantId, sentAs));
      const outcome = await judge(dispatch, { tenantId, attemptId: sentAs, outcome: told }, id);
      return { attemptId: id, report: { outcome: toldBy(outcome), fence }, reference: referenceOf(outcome) };
    }),
  );
  await inTenant(database, tenantId, (transaction) => settleAttempts(transaction, reports));
}

/** An answer to a message that stands for several attempts is judged once. */
async function judge(dispatch: Dispatch, told: ToldOutcome, attemptId: number): Promise<Outcome> {
  const { outcome } = told;
  if (told.attemptId === attemptId) return (await judgeOutcome(dispatch, told)).outcome;
  return outcome.kind === 'acknowledged' ? { kind: 'answered', reference: outcome.reference } : outcome;
}

async function ask(channel: TenantChannel | undefined, name: string): Promise<Outcome> {
  return (await channel?.channel.query?.(name, AbortSignal.timeout(askMs))) ?? lost;
}

import { describeQuietTime, quietTimeOf } from '@tocsin/domain';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { ReadyAttempt } from './delivery.store.ts';
import { type EarlierCalls, listEarlierCalls, postponeToQuietEnd } from './quiet-time.store.ts';

/**
 * Lets attempts wait whose person was just reached about an earlier occurrence of the tag. Returns these, and the others,
 * which are sent now. It is decided anew each time an attempt is due.
 */
export async function waitQuietly(
  transaction: TenantTransaction,
  ready: readonly ReadyAttempt[],
): Promise<{ due: readonly ReadyAttempt[]; quiet: readonly ReadyAttempt[] }> {
  const repeatable = ready.filter(isRepeatable);
  if (repeatable.length === 0) return { due: ready, quiet: [] };
  const earlier = await listEarlierCalls(transaction, {
    tagIds: repeatable.map(({ tagId }) => tagId),
    userIds: [...new Set(repeatable.map(({ userId }) => userId))],
  });
  const waiting = repeatable.flatMap((attempt) =>
    quietAttempt(attempt, earlier.get(attempt.tagId), transaction.now),
  );
  if (waiting.length === 0) return { due: ready, quiet: [] };
  await postponeToQuietEnd(transaction, waiting);
  const ids = new Set(waiting.map(({ id }) => id));
  return { due: ready.filter(({ id }) => !ids.has(id)), quiet: ready.filter(({ id }) => ids.has(id)) };
}

type Repeatable = ReadyAttempt & { tagId: number; occurrenceId: number };

/** Alarms of priority 1 never wait, so nothing is read for them. */
function isRepeatable(attempt: ReadyAttempt): attempt is Repeatable {
  const { occasion, priority, tagId, occurrenceId } = attempt;
  return occasion === 'raised' && priority > 1 && tagId !== null && occurrenceId !== null;
}

function quietAttempt(attempt: Repeatable, earlier: EarlierCalls | undefined, now: Date) {
  if (!earlier) return [];
  const quiet = quietTimeOf(attempt, earlier.calls, earlier.quietSeconds, now);
  if (!quiet) return [];
  return [{ id: attempt.id, until: quiet.until, reason: describeQuietTime(quiet, now, earlier.timeZone) }];
}

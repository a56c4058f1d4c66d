import { setTimeout as sleep } from 'node:timers/promises';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import { readStanding } from './call.store.ts';
import { type CallOutcome, outcomeOf } from './call-outcome.ts';

const shortestPollMs = 250;
/** 100 looks a second for all who wait in a tenant: the more they are, the longer each waits for its turn. */
const pollMsPerWaiting = 10;

type StoredCall = { tenantId: number; callId: number };

export type Patience = {
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** How many of the tenant wait now, this one included. */
  readonly waiting: () => number;
};

/**
 * Looks at the call until it is settled, the time is over or `signal` says that nobody waits any more. Between
 * two looks it holds no database connection.
 */
export async function awaitOutcome(
  runtime: Runtime,
  call: StoredCall,
  { seconds, signal, waiting }: Patience,
): Promise<CallOutcome> {
  // Not the clock of the plant: this is how long a client keeps its connection open.
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const outcome = await lookAt(runtime, call);
    const leftMs = deadline - performance.now();
    if (outcome !== 'open' || leftMs <= 0 || signal.aborted) return outcome;
    const pollMs = Math.max(shortestPollMs, waiting() * pollMsPerWaiting);
    // Rejects only when `signal` fires, which the next turn sees.
    await sleep(Math.min(pollMs, leftMs), undefined, { signal }).catch(() => undefined);
  }
}

/** A database that does not answer now is asked again: the call is stored, so failing would invite a second one. */
async function lookAt({ database }: Runtime, { tenantId, callId }: StoredCall): Promise<CallOutcome> {
  try {
    return outcomeOf(
      await readTenant(database, tenantId, (transaction) => readStanding(transaction, callId)),
    );
  } catch (error) {
    if (error instanceof ProblemError) return 'open';
    throw error;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { ProblemError } from '../common/problem.ts';
import { coalesceReads } from '../postgres/coalesce-reads.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { readCallStates } from './call.store.ts';
import { type CallOutcome, outcomeOf } from './call-outcome.ts';
import type { OutcomeSignal } from './outcome-signal.ts';

type StoredCall = { tenantId: number; callId: number };
type WaitOptions = { readonly seconds: number; readonly signal: AbortSignal };

/** Waits until the call is settled, the time is over or `signal` aborts because the client is gone. */
export type AwaitOutcome = (call: StoredCall, options: WaitOptions) => Promise<CallOutcome>;

/** Calls that are read in one query; more than may wait in a tenant. */
const maxBatch = 1_000;

/**
 * Requests that wait are woken together and read the database together: a hundred of them need as many queries as one.
 * A waiting request holds no connection.
 */
export function createAwaitOutcome(runtime: Runtime, outcomeSignal: OutcomeSignal): AwaitOutcome {
  const readOutcome = coalesceReads((calls: readonly StoredCall[]) => readOutcomes(runtime, calls), {
    maxBatchSize: maxBatch,
  });

  return async (call, { seconds, signal }) => {
    const done = new AbortController();
    let isOver = false;
    // Process time, because this is how long a client keeps its connection open. Rejects when it is aborted.
    const over = sleep(seconds * 1_000, undefined, { signal: AbortSignal.any([signal, done.signal]) })
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    try {
      for (;;) {
        // Asked for before reading, so that a change while reading is not missed.
        const nextChange = outcomeSignal.next(call.tenantId);
        const isLast = isOver || seconds === 0;
        const outcome = await readOutcome(call);
        if (outcome !== 'open' || isLast || signal.aborted) return outcome;
        await Promise.race([nextChange, over]);
      }
    } finally {
      done.abort();
    }
  };
}

async function readOutcomes(runtime: Runtime, calls: readonly StoredCall[]): Promise<CallOutcome[]> {
  const tenants = Map.groupBy(calls, ({ tenantId }) => tenantId);
  const perTenant = await Promise.all(
    [...tenants].map(([tenantId, own]) => readTenantOutcomes(runtime, tenantId, own)),
  );
  const outcomeOfCall = (call: StoredCall) =>
    perTenant.find((outcomes) => outcomes.has(call))?.get(call) ?? 'open';
  return calls.map(outcomeOfCall);
}

/** When the database does not answer, the next poll tries again. An error would make the client call a second time. */
async function readTenantOutcomes(
  { database }: Runtime,
  tenantId: number,
  calls: readonly StoredCall[],
): Promise<Map<StoredCall, CallOutcome>> {
  try {
    const callIds = [...new Set(calls.map(({ callId }) => callId))];
    const states = await readTenant(database, tenantId, (transaction) =>
      readCallStates(transaction, callIds),
    );
    return new Map(
      calls.flatMap((call) => {
        const state = states.get(call.callId);
        return state ? [[call, outcomeOf(state)] as const] : [];
      }),
    );
  } catch (error) {
    if (error instanceof ProblemError) return new Map();
    throw error;
  }
}

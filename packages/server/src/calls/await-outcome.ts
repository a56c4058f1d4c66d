import { setTimeout as sleep } from 'node:timers/promises';
import { askTogether } from '../postgres/ask-together.ts';
import { readTenant } from '../postgres/tenant-transaction.ts';
import { ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import { readStandings } from './call.store.ts';
import type { CallBell } from './call-bell.ts';
import { type CallOutcome, outcomeOf } from './call-outcome.ts';

type StoredCall = { tenantId: number; callId: number };
type Patience = { readonly seconds: number; readonly signal: AbortSignal };

/** Waits until the call is settled, the time is over or `signal` says that nobody waits any more. */
export type AwaitOutcome = (call: StoredCall, patience: Patience) => Promise<CallOutcome>;

/** Calls that are looked at in one question; more than may wait in a tenant. */
const mostTogether = 1_000;

/**
 * Those who wait are woken together and look together: a hundred of them ask the database as often as one does. Between
 * two looks none holds a connection.
 */
export function createAwaitOutcome(runtime: Runtime, bell: CallBell): AwaitOutcome {
  const look = askTogether((calls: readonly StoredCall[]) => lookAt(runtime, calls), mostTogether);

  return async (call, { seconds, signal }) => {
    const done = new AbortController();
    let isOver = false;
    // Not the clock of the plant: this is how long a client keeps its connection open. Rejects when it is not needed.
    const over = sleep(seconds * 1_000, undefined, { signal: AbortSignal.any([signal, done.signal]) })
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    try {
      for (;;) {
        // What happens while it looks ends this turn too.
        const turn = bell.next(call.tenantId);
        const isLast = isOver || seconds === 0;
        const outcome = await look(call);
        if (outcome !== 'open' || isLast || signal.aborted) return outcome;
        await Promise.race([turn, over]);
      }
    } finally {
      done.abort();
    }
  };
}

async function lookAt(runtime: Runtime, calls: readonly StoredCall[]): Promise<CallOutcome[]> {
  const tenants = Map.groupBy(calls, ({ tenantId }) => tenantId);
  const looks = await Promise.all([...tenants].map(([tenantId, own]) => lookIn(runtime, tenantId, own)));
  const outcomeOfCall = (call: StoredCall) => looks.find((look) => look.has(call))?.get(call) ?? 'open';
  return calls.map(outcomeOfCall);
}

/** A database that does not answer now is asked again: the call is stored, so failing would invite a second one. */
async function lookIn(
  { database }: Runtime,
  tenantId: number,
  calls: readonly StoredCall[],
): Promise<Map<StoredCall, CallOutcome>> {
  try {
    const callIds = [...new Set(calls.map(({ callId }) => callId))];
    const standings = await readTenant(database, tenantId, (transaction) =>
      readStandings(transaction, callIds),
    );
    return new Map(
      calls.flatMap((call) => {
        const standing = standings.get(call.callId);
        return standing ? [[call, outcomeOf(standing)] as const] : [];
      }),
    );
  } catch (error) {
    if (error instanceof ProblemError) return new Map();
    throw error;
  }
}

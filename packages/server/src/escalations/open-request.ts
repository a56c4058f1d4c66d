import { type CallMessage, createRequestPlan, openEscalation, type RequestedGroup } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { advanceEscalation } from './advance-escalation.ts';
import { readCallDirectory } from './call-directory.store.ts';
import { saveEscalated } from './escalation.store.ts';
import { insertEscalation } from './escalation-rows.store.ts';

export type CallRequest = {
  callId: number;
  groups: readonly RequestedGroup[];
  message: CallMessage;
  /** By user: the station that sees their attempts. The request as a whole belongs to the first one. */
  stationOf: ReadonlyMap<number, number | null>;
  /** The reason that the first attempts show; may be empty. */
  reason: string;
};

/**
 * Opens the escalation of a call on request. It and its first attempts are stored at once, so that the client finds them
 * in the histories as soon as it has the answer.
 */
export async function openRequest(
  transaction: TenantTransaction,
  { callId, groups, message, stationOf, reason }: CallRequest,
): Promise<void> {
  const { now } = transaction;
  const directory = await readCallDirectory(transaction);
  const plan = createRequestPlan(directory.people, { groups, priority: 1, message });
  const [stationId = null] = stationOf.values();
  const id = await insertEscalation(transaction, {
    tagId: null,
    occurrenceId: null,
    callId,
    stationId,
    plan,
  });
  const work = { id, plan, state: openEscalation(plan, now), rotation: {}, tagId: null, callId, stationId };
  const escalation = { ...work, alarm: undefined, attempts: [] };
  const escalated = advanceEscalation(escalation, { directory, rotation: {}, now });
  await saveEscalated(transaction, [{ ...escalated, shown: { stationOf, reason } }]);
}

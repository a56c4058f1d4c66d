import { type CallMessage, freezeRequest, openEscalation, type RequestedGroup } from '@tocsin/domain';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { readCallDirectory } from './call-directory.store.ts';
import { insertDuty } from './duty.store.ts';
import { escalateDuty } from './escalate-duty.ts';
import { saveEscalated } from './escalation.store.ts';

export type CallRequest = {
  callId: number;
  groups: readonly RequestedGroup[];
  message: CallMessage;
  /** By user: the station that sees the attempts to reach him. Of a request as a whole, the first one's. */
  stationOf: ReadonlyMap<number, number | null>;
  /** What is to be told of the first attempts; empty for nothing. */
  reason: string;
};

/**
 * Somebody asked for people to be called. The duty and the first attempts are stored at once: whoever asks hears that
 * they are, and reads of them in the histories.
 */
export async function openRequest(
  transaction: TenantTransaction,
  { callId, groups, message, stationOf, reason }: CallRequest,
): Promise<void> {
  const { now } = transaction;
  const directory = await readCallDirectory(transaction);
  const plan = freezeRequest(directory.people, { groups, priority: 1, message });
  const [stationId = null] = stationOf.values();
  const id = await insertDuty(transaction, { tagId: null, occurrenceId: null, callId, stationId, plan });
  const work = { id, plan, state: openEscalation(plan, now), rotation: {}, tagId: null, callId, stationId };
  const duty = { ...work, alarm: undefined, attempts: [] };
  const escalated = escalateDuty(duty, { directory, rotation: {}, now });
  await saveEscalated(transaction, [{ ...escalated, shown: { stationOf, reason } }]);
}

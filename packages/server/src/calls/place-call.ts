import type { CallUsers } from '@tocsin/contract';
import { ProblemError } from '../common/problem.ts';
import { openRequest } from '../escalations/open-request.ts';
import type { Principal } from '../http/principal.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { countOpenCalls, insertCall, type NewCall } from './call.store.ts';
import { callMedia } from './call-sound.ts';
import { type CalledGroup, type Callee, findFirstStation } from './callee.store.ts';

/** A person to be called, through a group or by name. */
export type Recipient = { callee: Callee; group?: CalledGroup | undefined };

/** Calls by hand that may be open in a tenant. Calls for alarms are not counted. */
export const maxOpenCalls = 1_000;

export type CallMessage = Omit<CallUsers, 'userIds'>;

/** Stores a call to all recipients and opens its escalation. Returns the call's id. */
export async function placeCall(
  transaction: TenantTransaction,
  principal: Principal,
  {
    kind,
    recipients,
    message,
  }: { kind: NewCall['kind']; recipients: readonly Recipient[]; message: CallMessage },
): Promise<number> {
  const { msgText: text = '', msgNum: number = 0 } = message;
  const { audio, file, reason } = await callMedia(transaction, message);
  const call = { kind, message: text, number, audio, file, requestedBy: principal.name };
  const callId = await insertCall(transaction, call);
  // Counted after the call has its id: drawing ids serializes the calls of a tenant, so none gets past the limit.
  if ((await countOpenCalls(transaction)) >= maxOpenCalls) throw tooManyOpen();
  await openRequest(transaction, {
    callId,
    groups: groupsOf(recipients),
    message: { text, shortText: '', number, audio, file },
    stationOf: await stationsOf(transaction, principal, recipients),
    reason,
  });
  return callId;
}

function tooManyOpen(): ProblemError {
  return new ProblemError('too-many-requests', `No more than ${maxOpenCalls} calls may be open at once`, {
    headers: { 'retry-after': '10' },
  });
}

/** The recipients by call group, in the order the groups were named. */
function groupsOf(recipients: readonly Recipient[]): { groupId: number; userIds: number[] }[] {
  const byGroup = Map.groupBy(recipients, ({ group }) => group?.id ?? 0);
  return [...byGroup].map(([groupId, some]) => ({ groupId, userIds: some.map(({ callee }) => callee.id) }));
}

async function stationsOf(
  transaction: TenantTransaction,
  principal: Principal,
  recipients: readonly Recipient[],
): Promise<Map<number, number | null>> {
  const firstStation = await findFirstStation(transaction);
  return new Map(
    recipients.map(({ callee, group }) => [
      callee.id,
      group?.stationId ?? sharedStation(principal, callee) ?? firstStation ?? null,
    ]),
  );
}

/** The station of a call decides who sees it: one that caller and recipient share, otherwise the caller's. */
function sharedStation({ stationIds: own }: Principal, { stationIds }: Callee): number | undefined {
  if (own === undefined) return stationIds[0];
  return stationIds.find((id) => own.includes(id)) ?? own[0];
}

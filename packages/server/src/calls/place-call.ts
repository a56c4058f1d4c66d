import type { CallUsers } from '@tocsin/contract';
import { openRequest } from '../duties/open-request.ts';
import type { Principal } from '../http/principal.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { ProblemError } from '../problem.ts';
import { countOpenCalls, insertCall, type NewCall } from './call.store.ts';
import { callMedia } from './call-sound.ts';
import { type CalledGroup, type Callee, findFirstStation } from './callee.store.ts';

/** One to be called, through a group or by name. */
export type Summons = { callee: Callee; group?: CalledGroup | undefined };

/** So many calls asked for by hand may be open in a tenant. Calls for alarms are not counted. */
export const mostOpenCalls = 1_000;

export type CallMessage = Omit<CallUsers, 'userIds'>;

/** Stores the call of everybody at once, durably with the transaction. Answers the call's id. */
export async function placeCall(
  transaction: TenantTransaction,
  principal: Principal,
  { kind, summons, message }: { kind: NewCall['kind']; summons: readonly Summons[]; message: CallMessage },
): Promise<number> {
  const { msgText: text = '', msgNum: number = 0 } = message;
  const { audio, file, reason } = await callMedia(transaction, message);
  const call = { kind, message: text, number, audio, file, requestedBy: principal.name };
  const callId = await insertCall(transaction, call);
  // Counted after the call has its number, for which those of a tenant wait for each other: none slips past the limit.
  if ((await countOpenCalls(transaction)) >= mostOpenCalls) throw tooManyOpen();
  await openRequest(transaction, {
    callId,
    groups: groupsOf(summons),
    message: { text, shortText: '', number, audio, file },
    stationOf: await stationsOf(transaction, principal, summons),
    reason,
  });
  return callId;
}

function tooManyOpen(): ProblemError {
  return new ProblemError('too-many-requests', `No more than ${mostOpenCalls} calls may be open at once`, {
    headers: { 'retry-after': '10' },
  });
}

/** Everybody with the group he is called through, groups in the order they were named. */
function groupsOf(summons: readonly Summons[]): { groupId: number; userIds: number[] }[] {
  const byGroup = Map.groupBy(summons, ({ group }) => group?.id ?? 0);
  return [...byGroup].map(([groupId, some]) => ({ groupId, userIds: some.map(({ callee }) => callee.id) }));
}

async function stationsOf(
  transaction: TenantTransaction,
  principal: Principal,
  summons: readonly Summons[],
): Promise<Map<number, number | null>> {
  const firstStation = await findFirstStation(transaction);
  return new Map(
    summons.map(({ callee, group }) => [
      callee.id,
      group?.stationId ?? sharedStation(principal, callee) ?? firstStation ?? null,
    ]),
  );
}

/** A call is seen by those who see its station: one that caller and called have in common, or the caller's. */
function sharedStation({ stationIds: own }: Principal, { stationIds }: Callee): number | undefined {
  if (own === undefined) return stationIds[0];
  return stationIds.find((id) => own.includes(id)) ?? own[0];
}

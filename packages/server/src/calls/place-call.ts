import type { CallUsers } from '@tocsin/contract';
import { openRequest } from '../duties/open-request.ts';
import type { Principal } from '../http/principal.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { insertCall, type NewCall } from './call.store.ts';
import { type CalledGroup, type Callee, findFirstStation, findUnknownMedia } from './callee.store.ts';

/** One to be called, through a group or by name. */
export type Summons = { callee: Callee; group?: CalledGroup | undefined };

export type CallMessage = Omit<CallUsers, 'userIds'>;

/** Stores the call of everybody at once, durably with the transaction. Answers the call's id. */
export async function placeCall(
  transaction: TenantTransaction,
  principal: Principal,
  { kind, summons, message }: { kind: NewCall['kind']; summons: readonly Summons[]; message: CallMessage },
): Promise<number> {
  const { msgText: text = '', msgNum: number = 0, msgAudio, msgFile } = message;
  const [audio, file] = [msgAudio ?? '', msgFile ?? ''];
  const call = { kind, message: text, number, audio, file, requestedBy: principal.name };
  const callId = await insertCall(transaction, call);
  await openRequest(transaction, {
    callId,
    groups: groupsOf(summons),
    message: { text, shortText: '', number, audio, file },
    stationOf: await stationsOf(transaction, principal, summons),
    reason: await reasonOf(transaction, message),
  });
  return callId;
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

/** A sound that is missing keeps no call back; the attempts say that it is missing. */
async function reasonOf(transaction: TenantTransaction, { msgAudio, msgFile }: CallMessage): Promise<string> {
  const named = Object.entries({ msgAudio, msgFile }).flatMap(([member, name]) =>
    name ? [{ member, name }] : [],
  );
  if (named.length === 0) return '';
  const unknown = await findUnknownMedia(
    transaction,
    named.map(({ name }) => name),
  );
  return named
    .filter(({ name }) => unknown.includes(name))
    .map(({ member, name }) => `${member} unknown: ${name}`)
    .join('; ');
}

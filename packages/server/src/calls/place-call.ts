import type { CallUsers } from '@tocsin/contract';
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
  const { msgText = '', msgNum = 0, msgAudio, msgFile } = message;
  const firstStation = await findFirstStation(transaction);
  const reason = await reasonOf(transaction, message);
  const attempts = summons.map(({ callee, group }) => ({
    userId: callee.id,
    userName: callee.name,
    medium: callee.medium,
    address: callee.address,
    callGroupId: group?.id ?? null,
    stationId: group?.stationId ?? sharedStation(principal, callee) ?? firstStation ?? null,
    reason,
  }));
  const call = {
    kind,
    message: msgText,
    number: msgNum,
    audio: msgAudio ?? '',
    file: msgFile ?? '',
    requestedBy: principal.name,
  };
  return insertCall(transaction, call, attempts);
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

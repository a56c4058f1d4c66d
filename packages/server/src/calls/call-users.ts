import type { CallUsers } from '@tocsin/contract';
import type { Principal } from '../http/principal.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type Callee, findCallees } from './callee.store.ts';
import { placeCall } from './place-call.ts';

/** Calls all of the users or, when one of them cannot be called, none. Answers the call's id, or undefined. */
export async function callUsers(
  transaction: TenantTransaction,
  principal: Principal,
  { userIds, ...message }: CallUsers,
): Promise<number | undefined> {
  const wanted = [...new Set(userIds)];
  const callees = await findCallees(transaction, wanted);
  const summons = wanted.flatMap((id) => {
    const callee = callees.get(id);
    return callee && mayCall(principal, callee) ? [{ callee }] : [];
  });
  if (summons.length === 0 || summons.length < wanted.length) return undefined;
  return placeCall(transaction, principal, { kind: 'users', summons, message });
}

function mayCall({ stationIds: own }: Principal, { stationIds }: Callee): boolean {
  return own === undefined || stationIds.length === 0 || stationIds.some((id) => own.includes(id));
}

import type { CallUsers } from '@tocsin/contract';
import type { Principal } from '../http/principal.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type CallRefusal, refuseCall, whyNotCallable } from './call-refusal.ts';
import { type Callee, findCallees, listServedMedia } from './callee.store.ts';
import { placeCall } from './place-call.ts';

/** Calls all of the users, or none if one cannot be called. Returns the call's id or the reason for the refusal. */
export async function callUsers(
  transaction: TenantTransaction,
  principal: Principal,
  { userIds, ...message }: CallUsers,
): Promise<number | CallRefusal> {
  const wanted = [...new Set(userIds)];
  if (wanted.length === 0) return refuseCall(['no user is named']);
  const found = await findCallees(transaction, wanted);
  // Users that the caller may not see are reported as missing.
  const callees = wanted.map((id) => [id, visible(principal, found.get(id))] as const);
  const served = await listServedMedia(transaction);
  const reasons = callees.flatMap(([id, callee]) => whyNotCallable(id, callee, served) ?? []);
  if (reasons.length > 0) return refuseCall(reasons);
  const recipients = callees.flatMap(([, callee]) => (callee ? [{ callee }] : []));
  return placeCall(transaction, principal, { kind: 'users', recipients, message });
}

function visible({ stationIds: own }: Principal, callee: Callee | undefined): Callee | undefined {
  const { stationIds = [] } = callee ?? {};
  const mayCall = own === undefined || stationIds.length === 0 || stationIds.some((id) => own.includes(id));
  return mayCall ? callee : undefined;
}

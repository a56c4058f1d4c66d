import type { CallGroups } from '@tocsin/contract';
import type { Principal } from '../http/principal.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type CalledGroup, findCalledGroups, findCallees } from './callee.store.ts';
import { placeCall } from './place-call.ts';

/**
 * Calls everybody in the call groups, on duty or not; nobody when a group is not there or empty, or when one of
 * its users cannot be called. Answers the call's id, or undefined.
 */
export async function callGroups(
  transaction: TenantTransaction,
  principal: Principal,
  { callGroupIds, ...message }: CallGroups,
): Promise<number | undefined> {
  const wanted = [...new Set(callGroupIds)];
  const found = await findCalledGroups(transaction, wanted, principal.stationIds);
  const groups = wanted.flatMap((id) => found.get(id) ?? []);
  if (groups.length < wanted.length || groups.some(({ userIds }) => userIds.length === 0)) return undefined;

  const groupOfUser = firstGroups(groups);
  const callees = await findCallees(transaction, [...groupOfUser.keys()]);
  const summons = [...groupOfUser].flatMap(([userId, group]) => {
    const callee = callees.get(userId);
    return callee ? [{ callee, group }] : [];
  });
  if (summons.length === 0 || summons.length < groupOfUser.size) return undefined;
  return placeCall(transaction, principal, { kind: 'groups', summons, message });
}

/** Each user once, with the first of the groups that has him. */
function firstGroups(groups: readonly CalledGroup[]): Map<number, CalledGroup> {
  const first = new Map<number, CalledGroup>();
  for (const group of groups) {
    for (const userId of group.userIds) {
      if (!first.has(userId)) first.set(userId, group);
    }
  }
  return first;
}

import type { CallGroups } from '@tocsin/contract';
import type { Principal } from '../http/principal.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { type CallRefusal, refuseCall, whyNotCallable } from './call-refusal.ts';
import { type CalledGroup, findCalledGroups, findCallees, listServedMedia } from './callee.store.ts';
import { placeCall } from './place-call.ts';

/**
 * Calls everybody in the call groups, on duty or not. Calls nobody if a group does not exist or is empty, or if one of its
 * users cannot be called. Returns the call's id or the reason for the refusal.
 */
export async function callGroups(
  transaction: TenantTransaction,
  principal: Principal,
  { callGroupIds, ...message }: CallGroups,
): Promise<number | CallRefusal> {
  const wanted = [...new Set(callGroupIds)];
  const found = await findCalledGroups(transaction, wanted, principal.stationIds);
  if (wanted.length === 0) return refuseCall(['no call group is named']);
  const missing = wanted.flatMap((id) => whyNoGroup(id, found.get(id)) ?? []);
  if (missing.length > 0) return refuseCall(missing);

  const groupOfUser = firstGroups(wanted.flatMap((id) => found.get(id) ?? []));
  const callees = await findCallees(transaction, [...groupOfUser.keys()]);
  const served = await listServedMedia(transaction);
  const userIds = [...groupOfUser.keys()];
  const reasons = userIds.flatMap((id) => whyNotCallable(id, callees.get(id), served) ?? []);
  if (reasons.length > 0) return refuseCall(reasons);
  const recipients = [...groupOfUser].flatMap(([userId, group]) => {
    const callee = callees.get(userId);
    return callee ? [{ callee, group }] : [];
  });
  return placeCall(transaction, principal, { kind: 'groups', recipients, message });
}

function whyNoGroup(id: number, group: CalledGroup | undefined): string | undefined {
  if (!group) return `call group ${id} does not exist`;
  return group.userIds.length === 0 ? `call group ${id} is empty` : undefined;
}

/** Maps each user to the first of the groups they belong to. */
function firstGroups(groups: readonly CalledGroup[]): Map<number, CalledGroup> {
  const first = new Map<number, CalledGroup>();
  for (const group of groups) {
    for (const userId of group.userIds) {
      if (!first.has(userId)) first.set(userId, group);
    }
  }
  return first;
}

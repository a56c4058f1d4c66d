import { twoPersonActions } from '@tocsin/contract';
import type { Principal } from '../http/principal.ts';
import type { ApprovalViewer } from '../identity/approvals/approval.store.ts';
import { permissionFor } from '../identity/approvals/approval-request.ts';

/** An API key has asked for nothing and decides nothing, but sees what its permissions concern. */
export function viewerOf({ userId = 0, permissions, stationIds }: Principal): ApprovalViewer {
  const actions = twoPersonActions.filter((action) => permissions.has(permissionFor[action]));
  return { userId, actions, stationIds };
}

import type { Approval } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import type { ApprovalRow } from './approval.store.ts';

export function toApproval(row: ApprovalRow, now: Date): Approval {
  const { id, action, summary, requestedById, requestedBy, decidedAt, decidedBy, comment } = row;
  return {
    id,
    action,
    summary,
    state: stateOf(row, now),
    requestTime: formatUtc(row.requestedAt),
    requestedById,
    requestedBy,
    expiryTime: formatUtc(row.expiresAt),
    ...(decidedAt && { decisionTime: formatUtc(decidedAt) }),
    ...(decidedBy !== '' && { decidedBy }),
    ...(comment !== '' && { comment }),
  };
}

/** An approval that nobody has decided in time has expired. */
export function stateOf(
  { state, expiresAt }: Pick<ApprovalRow, 'state' | 'expiresAt'>,
  now: Date,
): Approval['state'] {
  return state === 'Waiting' && expiresAt <= now ? 'Expired' : state;
}

import { type Static, Type } from 'typebox';
import { pageOf } from '../paging.ts';
import { Id, UtcDateTime } from '../primitives.ts';
import { TwoPersonAction } from './security-settings.ts';

export const approvalStates = ['Waiting', 'Approved', 'Refused', 'Withdrawn', 'Expired'] as const;

/** A dangerous action that waits for a second person. */
export const Approval = Type.Object(
  {
    id: Id,
    action: TwoPersonAction,
    summary: Type.String({ description: 'What happens after the approval, in words.' }),
    state: Type.Enum([...approvalStates]),
    requestTime: UtcDateTime,
    requestedById: Id,
    requestedBy: Type.String(),
    expiryTime: UtcDateTime,
    decisionTime: Type.Optional(UtcDateTime),
    decidedBy: Type.Optional(Type.String()),
    comment: Type.Optional(Type.String()),
  },
  { title: 'Approval' },
);
export type Approval = Static<typeof Approval>;
export const ApprovalPage = pageOf(Approval, 'ApprovalPage');

export const ApprovalDecision = Type.Object(
  {
    decision: Type.Enum(['Approve', 'Refuse', 'Withdraw']),
    comment: Type.Optional(Type.String({ maxLength: 1_024 })),
  },
  { title: 'ApprovalDecision' },
);

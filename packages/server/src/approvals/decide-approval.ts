import type { Approval } from '@tocsin/contract';
import type { AlarmWriter } from '../alarms/write/alarm-writer.ts';
import { appendAudit } from '../audit/audit.store.ts';
import type { AuditDraft, AuditOrigin } from '../audit/audit-entry.ts';
import { notFound, ProblemError } from '../common/problem.ts';
import { maySeeStation, type Principal } from '../http/principal.ts';
import { type ApprovalRow, findApproval, saveDecision } from '../identity/approvals/approval.store.ts';
import { stateOf, toApproval } from '../identity/approvals/approval.wire.ts';
import { permissionFor } from '../identity/approvals/approval-request.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../postgres/tenant-transaction.ts';
import { viewerOf } from './approval-viewer.ts';
import { runApproved } from './run-approved.ts';

export type Decision = {
  readonly id: number;
  readonly decision: 'Approve' | 'Refuse' | 'Withdraw';
  readonly comment?: string;
  readonly principal: Principal;
  readonly origin: AuditOrigin;
};

type Decided = Pick<ApprovalRow, 'state' | 'comment'> & {
  /** Entries for what the approval has set off. */
  drafts: readonly AuditDraft[];
  /** Why the action could not be carried out. */
  problem?: ProblemError;
};

/**
 * Decides about an action that waits. The row stays locked until the action is done, so that of two people who decide at
 * once, at any server, the second finds the decision of the first.
 */
export async function decideApproval(
  { database }: Runtime,
  writer: AlarmWriter,
  asked: Decision,
): Promise<Approval> {
  const { id, principal, origin } = asked;
  const { approval, problem } = await inTenant(database, principal.tenantId, async (transaction) => {
    const { now } = transaction;
    const before = await findApproval(transaction, viewerOf(principal), { id, forUpdate: true });
    if (!before) throw notFound('approval', id);
    requireWaiting(before, now);
    requireRight(before, asked);
    const { state, comment, drafts, problem } = await decide(transaction, writer, { before, asked });
    const after = await saveDecision(transaction, id, { state, decidedBy: principal.name, comment });
    const act = { action: 'approval.decide', object: { kind: 'approval', id: String(id) } };
    const entry = { ...origin, ...act, before: { state: before.state }, after: { state, comment } };
    await appendAudit(transaction, [...drafts, entry], now);
    return { approval: toApproval(after, now), problem };
  });
  if (problem) throw problem;
  return approval;
}

async function decide(
  transaction: TenantTransaction,
  writer: AlarmWriter,
  { before, asked }: { before: ApprovalRow; asked: Decision },
): Promise<Decided> {
  const { decision, comment = '', principal, origin } = asked;
  if (decision === 'Withdraw') return { state: 'Withdrawn', comment, drafts: [] };
  if (decision === 'Refuse') return { state: 'Refused', comment, drafts: [] };
  const outcome = await runApproved(transaction, writer, { approval: before, approver: principal, origin });
  if ('drafts' in outcome) return { state: 'Approved', comment, drafts: outcome.drafts };
  const { refused } = outcome;
  const problem = new ProblemError('conflict', `Approval ${before.id} was not carried out: ${refused}`);
  return { state: 'Refused', comment: refused, drafts: [], problem };
}

function requireWaiting(approval: ApprovalRow, now: Date): void {
  const state = stateOf(approval, now);
  if (state === 'Waiting') return;
  const by = approval.decidedBy === '' ? '' : ` by ${approval.decidedBy}`;
  throw new ProblemError('conflict', `Approval ${approval.id} is ${state.toLowerCase()}${by}: ask again`);
}

/** Only the one who has asked withdraws, and only somebody else with the same right decides. */
function requireRight(approval: ApprovalRow, { decision, principal }: Decision): void {
  const { userId, name, permissions, desk } = principal;
  const isOwn = userId === approval.requestedById;
  const refuse = (why: string) => new ProblemError('not-allowed', why);
  if (decision === 'Withdraw') {
    if (!isOwn) throw refuse(`Only ${approval.requestedBy} may withdraw this`);
    return;
  }
  if (userId === undefined) throw refuse('A person has to decide this: log in as a user');
  if (isOwn) throw refuse(`${name} has asked for this: somebody else has to decide`);
  if (desk) throw refuse('At a shared desk nobody decides for others: sign in with your password elsewhere');
  const permission = permissionFor[approval.action];
  if (!permissions.has(permission)) throw refuse(`${name} lacks ${permission}`);
  if (!maySeeStation(principal, approval.stationId))
    throw refuse(`${name} may not decide for the stations that this concerns`);
}

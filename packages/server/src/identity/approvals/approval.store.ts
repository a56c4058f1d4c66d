import type { Approval, TwoPersonAction } from '@tocsin/contract';
import { type ExpressionBuilder, sql } from 'kysely';
import { nextId } from '../../postgres/next-id.ts';
import type { Tables } from '../../postgres/tables.gen.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { ApprovalRequest, AskedAction } from './approval-request.ts';

export type ApprovalRow = {
  id: number;
  action: TwoPersonAction;
  request: ApprovalRequest;
  summary: string;
  stationId: number | null;
  state: Exclude<Approval['state'], 'Expired'>;
  requestedAt: Date;
  requestedById: number;
  requestedBy: string;
  expiresAt: Date;
  decidedAt: Date | null;
  decidedBy: string;
  comment: string;
};

const columns = [
  'id',
  sql<TwoPersonAction>`action`.as('action'),
  sql<ApprovalRequest>`request`.as('request'),
  'summary',
  'stationId',
  sql<ApprovalRow['state']>`state`.as('state'),
  'requestedAt',
  'requestedById',
  'requestedBy',
  'expiresAt',
  'decidedAt',
  'decidedBy',
  'comment',
] as const;

/** Who asks for what, and until when. */
export type NewApproval = AskedAction & { userId: number; name: string; expiresAt: Date };

/** The approval that already waits for the same action of the same person, or a new one. */
export async function findOrInsertApproval(
  transaction: TenantTransaction,
  { request, summary, stationId, userId, name, expiresAt }: NewApproval,
): Promise<{ approval: ApprovalRow; isNew: boolean }> {
  const { tenantId, now } = transaction;
  const asked = JSON.stringify(request);
  const waiting = await transaction
    .selectFrom('approvals')
    .select(columns)
    .where('tenantId', '=', tenantId)
    .where('requestedById', '=', userId)
    .where('state', '=', 'Waiting')
    .where('expiresAt', '>', now)
    .where(sql<boolean>`request = ${asked}::jsonb`)
    .executeTakeFirst();
  if (waiting) return { approval: waiting, isNew: false };
  const approval = await transaction
    .insertInto('approvals')
    .values({
      tenantId,
      id: await nextId(transaction, 'approval'),
      action: request.action,
      request: asked,
      summary,
      stationId,
      requestedAt: now,
      requestedById: userId,
      requestedBy: name,
      expiresAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return { approval, isNew: true };
}

/** Whose approvals: their own, and those that they may decide. */
export type ApprovalViewer = {
  userId: number;
  actions: readonly TwoPersonAction[];
  /** Undefined: all stations, and what concerns the whole tenant. */
  stationIds: readonly number[] | undefined;
};

export async function listApprovals(
  transaction: TenantTransaction,
  viewer: ApprovalViewer,
  { offset, limit, descending }: { offset: number; limit: number; descending: boolean },
): Promise<{ rows: ApprovalRow[]; total: number }> {
  const query = transaction
    .selectFrom('approvals')
    .where('tenantId', '=', transaction.tenantId)
    .where((eb) => isVisible(eb, viewer));
  const { total } = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select(columns)
    .orderBy('id', descending ? 'desc' : 'asc')
    .offset(offset)
    .limit(limit)
    .execute();
  return { rows, total };
}

export function findApproval(
  transaction: TenantTransaction,
  viewer: ApprovalViewer,
  { id, forUpdate }: { id: number; forUpdate: boolean },
): Promise<ApprovalRow | undefined> {
  const query = transaction
    .selectFrom('approvals')
    .select(columns)
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .where((eb) => isVisible(eb, viewer));
  return (forUpdate ? query.forUpdate() : query).executeTakeFirst();
}

function isVisible(
  eb: ExpressionBuilder<Tables, 'approvals'>,
  { userId, actions, stationIds }: ApprovalViewer,
) {
  const mayDecide = sql<boolean>`action = any(${[...actions]}::text[])
    and (${stationIds === undefined} or station_id = any(${[...(stationIds ?? [])]}::bigint[]))`;
  return eb.or([eb('requestedById', '=', userId), mayDecide]);
}

export async function saveDecision(
  transaction: TenantTransaction,
  id: number,
  decision: Pick<ApprovalRow, 'state' | 'decidedBy' | 'comment'>,
): Promise<ApprovalRow> {
  return transaction
    .updateTable('approvals')
    .set({ ...decision, decidedAt: transaction.now })
    .where('tenantId', '=', transaction.tenantId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** What was decided stays in the audit trail. */
export async function deleteOldApprovals(transaction: TenantTransaction, before: Date): Promise<void> {
  await transaction
    .deleteFrom('approvals')
    .where('tenantId', '=', transaction.tenantId)
    .where('requestedAt', '<', before)
    .execute();
}

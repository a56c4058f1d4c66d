import type { TSchema } from 'typebox';
import type { AlarmWriter } from '../alarms/write/alarm-writer.ts';
import type { AuditDraft, AuditOrigin } from '../audit/audit-entry.ts';
import { ProblemError } from '../common/problem.ts';
import type { Collection, RequestContext } from '../http/collection.ts';
import { maySeeStation, type Principal } from '../http/principal.ts';
import { findApiKey, revokeApiKey } from '../identity/api-keys/api-key.store.ts';
import { toWire as keyToWire } from '../identity/api-keys/api-key.wire.ts';
import { tenantZone } from '../identity/api-keys/tenant-zone.store.ts';
import type { ApprovalRow } from '../identity/approvals/approval.store.ts';
import { type ApprovalRequest, permissionFor } from '../identity/approvals/approval-request.ts';
import { findAccount } from '../identity/sessions/account.store.ts';
import { userPrincipal } from '../identity/user-principal.ts';
import { scenarioCollection } from '../plant/scenario.routes.ts';
import { tagGroupCollection } from '../plant/tag-group.routes.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';

/** The entries for the audit trail, or why the action was not carried out. */
export type ApprovedOutcome = { drafts: readonly AuditDraft[] } | { refused: string };

type Run = { approval: ApprovalRow; approver: Principal; origin: AuditOrigin };

/** The entry of an action: the requester is its author, the approver its reason. */
type Author = { context: RequestContext; origin: AuditOrigin; approvedBy: string };

/** Carries out an approved action with the present rights of the requester, and undoes all of it if it is refused. */
export async function runApproved(
  transaction: TenantTransaction,
  writer: AlarmWriter,
  { approval, approver, origin }: Run,
): Promise<ApprovedOutcome> {
  const requester = await findRequester(transaction, approval);
  if ('refused' in requester) return requester;
  const { userId, name, subject } = approver;
  const author: Author = {
    context: { transaction, principal: requester },
    origin: {
      ...origin,
      actor: { kind: 'user', id: String(requester.userId), name: requester.name },
      reason: `approval ${approval.id}, approved by ${name} (${userId === undefined ? subject : `user:${userId}`})`,
    },
    approvedBy: name,
  };
  await transaction.client.query('savepoint before_action');
  try {
    return { drafts: await run(writer, author, approval.request) };
  } catch (error) {
    const refused = reasonOf(error);
    if (refused === undefined) throw error;
    await transaction.client.query('rollback to savepoint before_action');
    return { refused };
  }
}

/** The requester with the rights of today, who may have lost them since. */
async function findRequester(
  transaction: TenantTransaction,
  { action, requestedBy, requestedById, stationId }: ApprovalRow,
): Promise<Principal | { refused: string }> {
  const account = await findAccount(transaction, requestedById);
  if (account?.enabled !== true) return { refused: `${requestedBy} is disabled or deleted since` };
  const principal = userPrincipal(transaction.tenantId, account, undefined);
  const permission = permissionFor[action];
  if (!principal.permissions.has(permission))
    return { refused: `${requestedBy} has lost ${permission} since` };
  if (!maySeeStation(principal, stationId))
    return { refused: `${requestedBy} may no longer act on the stations that this concerns` };
  return principal;
}

function run(writer: AlarmWriter, author: Author, request: ApprovalRequest): Promise<AuditDraft[]> {
  if (request.action === 'masks') return mask(writer, author, request);
  if (request.action === 'keys') return revokeKey(author, request.keyId);
  return request.rows === 'scenarios'
    ? writeRow(author, scenarioCollection, request)
    : writeRow(author, tagGroupCollection, request);
}

/** The alarm writer has a transaction of its own: if this one fails afterwards, the mask can be approved again. */
async function mask(
  writer: AlarmWriter,
  { context: { transaction, principal }, origin, approvedBy }: Author,
  { alarmId: tagId, reason, seconds }: Extract<ApprovalRequest, { action: 'masks' }>,
): Promise<AuditDraft[]> {
  const { name, subject, userId, stationIds } = principal;
  const act = { action: 'alarm.mask', object: { kind: 'alarm', id: String(tagId) } };
  await writer.submit(transaction.tenantId, {
    kind: 'mask',
    tagId,
    reason: `${reason} (approved by ${approvedBy})`,
    seconds,
    actor: { name, subject, userId, stationIds },
    audit: { ...origin, ...act },
  });
  return [];
}

async function revokeKey({ context, origin }: Author, id: number): Promise<AuditDraft[]> {
  const { transaction } = context;
  const before = await findApiKey(transaction, id);
  if (!before || before.revokedAt || !(await revokeApiKey(transaction, id)))
    throw new ProblemError('not-found', `API key ${id} is revoked or deleted since`);
  const zone = await tenantZone(transaction);
  const after = { ...before, revokedAt: transaction.now };
  const act = { action: 'api-key.revoke', object: { kind: 'api-key', id: String(id) } };
  return [{ ...origin, ...act, before: keyToWire(before, zone), after: keyToWire(after, zone) }];
}

type Rows<Body extends TSchema> = Pick<
  Collection<TSchema, Body, TSchema>,
  'noun' | 'find' | 'create' | 'replace'
>;

async function writeRow<Body extends TSchema>(
  { context, origin }: Author,
  { noun, find, create, replace }: Rows<Body>,
  { id, version, body }: Extract<ApprovalRequest, { action: 'commands' }>,
): Promise<AuditDraft[]> {
  const kind = noun.replaceAll(' ', '-');
  const read = (row: number) => find(context, row, { forUpdate: true });
  // The body was checked against its schema when the change was asked for.
  const checked = body as never;
  if (id === undefined) {
    const created = await create(context, checked);
    const act = { action: `${kind}.create`, object: { kind, id: String(created) } };
    return [{ ...origin, ...act, after: (await read(created))?.item }];
  }
  const before = await read(id);
  if (!before) throw new ProblemError('not-found', `${noun} ${id} is deleted since`);
  if (before.version !== version) throw new ProblemError('conflict', `${noun} ${id} was changed since`);
  await replace(context, id, checked);
  const act = { action: `${kind}.change`, object: { kind, id: String(id) } };
  return [{ ...origin, ...act, before: before.item, after: (await read(id))?.item }];
}

/** A sentence for what the action itself does not permit; undefined for failures after which it can be tried again. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof ProblemError)
    return error.status < 500 && error.status !== 429 ? error.message : undefined;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === '23503') return 'it names something that was deleted since';
  if (code === '23505') return 'something else has that name by now';
  return undefined;
}

import type { Approval, TwoPersonAction } from '@tocsin/contract';
import { addSeconds } from '@tocsin/domain';
import { appendAudit } from '../../audit/audit.store.ts';
import type { AuditOrigin } from '../../audit/audit-entry.ts';
import { ProblemError } from '../../common/problem.ts';
import type { Principal } from '../../http/principal.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { readSecuritySettings } from '../security-settings/security-settings.store.ts';
import { findOrInsertApproval } from './approval.store.ts';
import { toApproval } from './approval.wire.ts';
import type { AskedAction } from './approval-request.ts';

const validSeconds = 30 * 60;

/** Whether such actions of the tenant wait for a second person. */
export async function needsSecondPerson(
  transaction: TenantTransaction,
  action: TwoPersonAction,
): Promise<boolean> {
  const { settings } = await readSecuritySettings(transaction);
  return settings.twoPersonActions.includes(action);
}

/** Asking for the same again while it waits changes nothing. */
export async function askSecondPerson(
  transaction: TenantTransaction,
  { userId, name }: Principal,
  { origin, ...asked }: AskedAction & { origin: AuditOrigin },
): Promise<Approval> {
  if (userId === undefined)
    throw new ProblemError(
      'not-allowed',
      'This action waits for a second person, so a person has to ask for it: log in as a user instead of using an API key',
    );
  const { now } = transaction;
  const expiresAt = addSeconds(now, validSeconds);
  const { approval, isNew } = await findOrInsertApproval(transaction, { ...asked, userId, name, expiresAt });
  if (isNew) {
    const act = { action: 'approval.request', object: { kind: 'approval', id: String(approval.id) } };
    const after = { summary: asked.summary, request: asked.request };
    await appendAudit(transaction, [{ ...origin, ...act, after }], now);
  }
  return toApproval(approval, now);
}

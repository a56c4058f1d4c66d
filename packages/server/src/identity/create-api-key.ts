import type { ApiKey, ApiKeyBody, Role } from '@tocsin/contract';
import { parseDateTime } from '@tocsin/domain';
import { type Permission, permissionsOf } from '../http/permissions.ts';
import { type Principal, requireWholeTenant } from '../http/principal.ts';
import { listReferences, requireReferences } from '../postgres/references.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { invalid, ProblemError } from '../problem.ts';
import { insertApiKey } from './api-key.store.ts';
import { writeApiKey } from './api-key.ts';
import { toWire } from './api-key.wire.ts';
import { newSecret, sha256 } from './secret.ts';
import { tenantZone } from './tenant-zone.store.ts';

/** A new key for a machine; `key` is the only time it is seen in the clear. */
export async function createApiKey(
  transaction: TenantTransaction,
  principal: Principal,
  { name, role = 'machine', stationIds = [], scopes, expiresAt }: ApiKeyBody,
): Promise<{ apiKey: ApiKey; key: string }> {
  requireWholeTenant(principal);
  refuseMoreThanOwn(principal, role);
  await requireReferences(transaction, 'stations', listReferences('/stationIds', stationIds));
  const zone = await tenantZone(transaction);
  const secret = newSecret();
  const row = await insertApiKey(transaction, {
    name,
    role,
    stationIds: [...new Set(stationIds)],
    scopes: scopes && permissionsIn(scopes, role),
    expiresAt: expiresAt === undefined ? undefined : futureInstant(expiresAt, zone, transaction.now),
    secretHash: sha256(secret),
    createdBy: principal.subject,
  });
  const key = writeApiKey({ tenantId: transaction.tenantId, id: row.id, secret });
  return { apiKey: toWire(row, zone), key };
}

/** Nobody makes a key that may do what they may not. */
function refuseMoreThanOwn({ name, permissions }: Principal, role: Role): void {
  const lacking = permissionsOf[role].find((permission) => !permissions.has(permission));
  if (lacking === undefined) return;
  throw new ProblemError('not-allowed', `${name} lacks ${lacking}, which a key of role ${role} would have`);
}

function permissionsIn(scopes: readonly string[], role: Role): Permission[] {
  const granted = scopes.map((scope, index) => {
    const permission = permissionsOf[role].find((known) => known === scope);
    if (permission === undefined) throw invalid(`/scopes/${index}`, `${scope} is no permission of ${role}`);
    return permission;
  });
  return [...new Set(granted)];
}

function futureInstant(text: string, zone: string, now: Date): Date {
  const instant = parseDateTime(text, zone);
  if (instant === undefined) throw invalid('/expiresAt', `${text} is not an ISO 8601 date-time`);
  if (instant <= now) throw invalid('/expiresAt', `${text} is past`);
  return instant;
}

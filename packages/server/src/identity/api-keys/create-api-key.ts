import type { ApiKey, ApiKeyBody, Role } from '@tocsin/contract';
import { addSeconds, parseDateTime } from '@tocsin/domain';
import { invalid, ProblemError, unknownReference } from '../../common/problem.ts';
import { type Permission, permissionsOf } from '../../http/permissions.ts';
import { ownerOf, type Principal, requireWholeTenant } from '../../http/principal.ts';
import { listReferences, requireReferences } from '../../postgres/collections/references.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { newSecret, sha256 } from '../tokens/secret.ts';
import { findApiKey, insertApiKey } from './api-key.store.ts';
import { writeApiKey } from './api-key.ts';
import { toWire } from './api-key.wire.ts';
import { assignedStations } from './assigned-stations.ts';
import { tenantZone } from './tenant-zone.store.ts';

const defaultLifetimeSeconds = 365 * 86_400;

/** Creates a key for a machine. The returned `key` is the only copy in plain text. */
export async function createApiKey(
  transaction: TenantTransaction,
  principal: Principal,
  body: ApiKeyBody,
): Promise<{ apiKey: ApiKey; key: string }> {
  const { name, role = 'machine', stationIds = [], dataServerIds = [], pathPrefixes = [], scopes } = body;
  requireWholeTenant(principal);
  requireUnboundKey(principal);
  requireOwnPermissions(principal, role);
  await requireReferencedObjects(transaction, body);
  const zone = await tenantZone(transaction);
  const secret = newSecret();
  const row = await insertApiKey(transaction, {
    name,
    role,
    stationIds: assignedStations(stationIds),
    scopes: scopes && permissionsIn(scopes, role),
    dataServerIds: [...new Set(dataServerIds)],
    pathPrefixes: [...new Set(pathPrefixes)],
    tagsOfKeyId: await tagCreatorOf(transaction, body.replacesId),
    ownerId: ownerOf(principal),
    expiresAt: expiryOf(body, zone, transaction.now),
    secretHash: sha256(secret),
    createdBy: principal.subject,
  });
  const key = writeApiKey({ tenantId: transaction.tenantId, id: row.id, secret });
  return { apiKey: toWire(row, zone), key };
}

async function requireReferencedObjects(
  transaction: TenantTransaction,
  { stationIds = [], dataServerIds = [] }: ApiKeyBody,
): Promise<void> {
  const stations = listReferences('/stationIds', stationIds).filter(({ id }) => id !== 0);
  await requireReferences(transaction, 'stations', { references: stations, stationIds: undefined });
  const dataServers = listReferences('/dataServerIds', dataServerIds);
  await requireReferences(transaction, 'dataServers', { references: dataServers, stationIds: undefined });
}

/** A key that is bound to data servers or paths cannot create keys without that binding. */
function requireUnboundKey({ name, binding }: Principal): void {
  if (binding) throw new ProblemError('not-allowed', `${name} may act on single places only`);
}

/** The key whose tags the new one may define: the replaced key, or the first one of a chain of replacements. */
async function tagCreatorOf(transaction: TenantTransaction, replacesId = 0): Promise<number | null> {
  if (replacesId === 0) return null;
  const replaced = await findApiKey(transaction, replacesId);
  if (!replaced) throw unknownReference('/replacesId', replacesId);
  return replaced.tagsOfKeyId ?? replaced.id;
}

/** A key cannot have permissions that its creator lacks. */
function requireOwnPermissions({ name, permissions }: Principal, role: Role): void {
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

/** Keys expire by default, so that forgotten ones end by themselves. */
function expiryOf({ expiresAt, neverExpires = false }: ApiKeyBody, zone: string, now: Date): Date | null {
  if (expiresAt === undefined) return neverExpires ? null : addSeconds(now, defaultLifetimeSeconds);
  if (neverExpires) throw invalid('/neverExpires', 'A key that has an end does not live for ever');
  return futureInstant(expiresAt, zone, now);
}

function futureInstant(text: string, zone: string, now: Date): Date {
  const instant = parseDateTime(text, zone);
  if (instant === undefined) throw invalid('/expiresAt', `${text} is not an ISO 8601 date-time`);
  if (instant <= now) throw invalid('/expiresAt', `${text} is past`);
  return instant;
}

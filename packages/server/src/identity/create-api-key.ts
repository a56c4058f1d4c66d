import type { ApiKey, ApiKeyBody, Role } from '@tocsin/contract';
import { addSeconds, parseDateTime } from '@tocsin/domain';
import { type Permission, permissionsOf } from '../http/permissions.ts';
import { ownerOf, type Principal, requireWholeTenant } from '../http/principal.ts';
import { listReferences, requireReferences } from '../postgres/references.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { invalid, ProblemError, unknownReference } from '../problem.ts';
import { findApiKey, insertApiKey } from './api-key.store.ts';
import { writeApiKey } from './api-key.ts';
import { toWire } from './api-key.wire.ts';
import { namedStations } from './named-stations.ts';
import { newSecret, sha256 } from './secret.ts';
import { tenantZone } from './tenant-zone.store.ts';

const defaultLifeSeconds = 365 * 86_400;

/** A new key for a machine; `key` is the only time it is seen in the clear. */
export async function createApiKey(
  transaction: TenantTransaction,
  principal: Principal,
  body: ApiKeyBody,
): Promise<{ apiKey: ApiKey; key: string }> {
  const { name, role = 'machine', stationIds = [], dataServerIds = [], pathPrefixes = [], scopes } = body;
  requireWholeTenant(principal);
  requireNoBinding(principal);
  refuseMoreThanOwn(principal, role);
  await requireNamed(transaction, body);
  const zone = await tenantZone(transaction);
  const secret = newSecret();
  const row = await insertApiKey(transaction, {
    name,
    role,
    stationIds: namedStations(stationIds),
    scopes: scopes && permissionsIn(scopes, role),
    dataServerIds: [...new Set(dataServerIds)],
    pathPrefixes: [...new Set(pathPrefixes)],
    tagsOfKeyId: await keyOfTags(transaction, body.replacesId),
    ownerId: ownerOf(principal),
    expiresAt: endOf(body, zone, transaction.now),
    secretHash: sha256(secret),
    createdBy: principal.subject,
  });
  const key = writeApiKey({ tenantId: transaction.tenantId, id: row.id, secret });
  return { apiKey: toWire(row, zone), key };
}

async function requireNamed(
  transaction: TenantTransaction,
  { stationIds = [], dataServerIds = [] }: ApiKeyBody,
): Promise<void> {
  const stations = listReferences('/stationIds', stationIds).filter(({ id }) => id !== 0);
  await requireReferences(transaction, 'stations', { references: stations, stationIds: undefined });
  const dataServers = listReferences('/dataServerIds', dataServerIds);
  await requireReferences(transaction, 'dataServers', { references: dataServers, stationIds: undefined });
}

/** A key that is bound to places must not make one that is not. */
function requireNoBinding({ name, binding }: Principal): void {
  if (binding) throw new ProblemError('not-allowed', `${name} may act on single places only`);
}

/** The key that created the tags which the new one may define: the replaced one, or the one that was replaced by it. */
async function keyOfTags(transaction: TenantTransaction, replacesId = 0): Promise<number | null> {
  if (replacesId === 0) return null;
  const replaced = await findApiKey(transaction, replacesId);
  if (!replaced) throw unknownReference('/replacesId', replacesId);
  return replaced.tagsOfKeyId ?? replaced.id;
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

/** A key that nobody thinks of any more ends by itself, unless it was asked to live for ever. */
function endOf({ expiresAt, neverExpires = false }: ApiKeyBody, zone: string, now: Date): Date | null {
  if (expiresAt === undefined) return neverExpires ? null : addSeconds(now, defaultLifeSeconds);
  if (neverExpires) throw invalid('/neverExpires', 'A key that has an end does not live for ever');
  return futureInstant(expiresAt, zone, now);
}

function futureInstant(text: string, zone: string, now: Date): Date {
  const instant = parseDateTime(text, zone);
  if (instant === undefined) throw invalid('/expiresAt', `${text} is not an ISO 8601 date-time`);
  if (instant <= now) throw invalid('/expiresAt', `${text} is past`);
  return instant;
}

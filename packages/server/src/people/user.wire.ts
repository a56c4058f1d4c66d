import type { User, UserBody } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { namedStations } from '../identity/named-stations.ts';
import { hashPassword } from '../identity/password.ts';
import { requireStrongPassword } from '../identity/weak-password.ts';
import { invalid } from '../problem.ts';
import { keptMedia } from './medium.wire.ts';
import type { UserRecord, UserRow } from './user.store.ts';

const newUser = { role: 'viewer', stationIds: [], enabled: true, language: '', media: [] } as const;

/**
 * The user a request describes. What it leaves out stays as it was `before`, or takes its default for a new user.
 * Slow on purpose when there is a password.
 */
export async function userRecord(
  body: UserBody,
  { before, tenantName }: { before?: UserRow; tenantName: string },
): Promise<UserRecord> {
  const { username, password } = body;
  const known = before ?? { ...newUser, name: username };
  const { name = known.name, role = known.role, enabled = known.enabled, language = known.language } = body;
  requireUsername(username);
  if (password !== undefined) requireStrongPassword(password, [username, name, tenantName]);
  return {
    username,
    name,
    role,
    stationIds: namedStations(body.stationIds, known.stationIds),
    enabled,
    language,
    media: keptMedia(body.media ?? known.media),
    identities: body.identities,
    passwordHash: password === undefined ? undefined : await hashPassword(password),
  };
}

export function userToWire(row: UserRow): User {
  const { id, username, name, role, stationIds, enabled, language, media, identities, lastChange } = row;
  return {
    id,
    username,
    name,
    role,
    stationIds,
    enabled,
    language,
    media,
    ...(identities.length > 0 && { identities }),
    lastChange: formatUtc(lastChange),
  };
}

/** No name may look like another's: what cannot be seen does not tell two names apart. */
function requireUsername(username: string): void {
  if (username !== username.trim()) throw invalid('/username', 'must not begin or end with a space');
  if (/[\p{Cc}\p{Cf}]/u.test(username)) throw invalid('/username', 'must not hold invisible characters');
}

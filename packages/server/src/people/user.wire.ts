import type { User, UserBody } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { hashPassword } from '../identity/password.ts';
import { invalid } from '../problem.ts';
import { keptMedia } from './medium.wire.ts';
import type { UserRecord, UserRow } from './user.store.ts';

/** The user a request describes, with all that it leaves out. Slow on purpose when there is a password. */
export async function userRecord({
  username,
  name = username,
  role = 'viewer',
  stationIds = [],
  enabled = true,
  language = '',
  media = [],
  password,
}: UserBody): Promise<UserRecord> {
  requireUsername(username);
  return {
    username,
    name,
    role,
    stationIds: [...new Set(stationIds)],
    enabled,
    language,
    media: keptMedia(media),
    passwordHash: password === undefined ? undefined : await hashPassword(password),
  };
}

export function userToWire(row: UserRow): User {
  const { id, username, name, role, stationIds, enabled, language, media, lastChange } = row;
  return {
    id,
    username,
    name,
    role,
    stationIds,
    enabled,
    language,
    media,
    lastChange: formatUtc(lastChange),
  };
}

/** No name may look like another's: what cannot be seen does not tell two names apart. */
function requireUsername(username: string): void {
  if (username !== username.trim()) throw invalid('/username', 'must not begin or end with a space');
  if (/[\p{Cc}\p{Cf}]/u.test(username)) throw invalid('/username', 'must not hold invisible characters');
}

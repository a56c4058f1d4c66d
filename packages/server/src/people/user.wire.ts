import type { User, UserBody } from '@tocsin/contract';
import { type Confirmation, formatUtc, keepConfirmations } from '@tocsin/domain';
import { invalid } from '../common/problem.ts';
import { assignedStations } from '../identity/api-keys/assigned-stations.ts';
import { hashPassword } from '../identity/sessions/password.ts';
import { requireStrongPassword } from '../identity/sessions/weak-password.ts';
import { keptMedia, mediumToWire } from './medium.wire.ts';
import type { UserRecord, UserRow } from './user.store.ts';

const newUser = {
  role: 'viewer',
  stationIds: [],
  enabled: true,
  language: '',
  breakGlass: false,
  media: [],
} as const;

type UserContext = {
  before?: UserRow;
  tenantName: string;
  /** Of the addresses that are new; undefined if they need a code. */
  confirmation: Confirmation | undefined;
};

/**
 * The user of a request. Members that it omits stay as they were `before`, or have their default for a new user. Hashing
 * a password is slow on purpose.
 */
export async function userRecord(
  body: UserBody,
  { before, tenantName, confirmation }: UserContext,
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
    stationIds: assignedStations(body.stationIds, known.stationIds),
    enabled,
    language,
    breakGlass: body.breakGlass ?? known.breakGlass,
    media: keepConfirmations(known.media, keptMedia(body.media ?? known.media), confirmation),
    identities: body.identities,
    passwordHash: password === undefined ? undefined : await hashPassword(password),
  };
}

export function userToWire(row: UserRow): User {
  const { id, username, name, role, stationIds, enabled, language, lastChange } = row;
  const { media, identities, breakGlass } = row;
  return {
    id,
    username,
    name,
    role,
    stationIds,
    enabled,
    language,
    media: media.map(mediumToWire),
    ...(identities.length > 0 && { identities }),
    ...(breakGlass && { breakGlass }),
    lastChange: formatUtc(lastChange),
  };
}

/** Refuses invisible characters, because two names must not look the same. */
function requireUsername(username: string): void {
  if (username !== username.trim()) throw invalid('/username', 'must not begin or end with a space');
  if (/[\p{Cc}\p{Cf}]/u.test(username)) throw invalid('/username', 'must not hold invisible characters');
}

import type { SecretBox } from '../../common/secret-box.ts';
import type { AdmissionRules } from '../admit-person.ts';
import { readGroupRoles } from '../group-roles.wire.ts';
import type { OutsidePerson } from '../outside-person.ts';
import type { DirectoryRow } from './directory.store.ts';
import { openBindPassword } from './directory.wire.ts';
import type { DirectoryEntry } from './directory-entry.wire.ts';
import { directoryIssuer } from './directory-user.store.ts';
import type { DirectorySettings } from './search-directory.ts';

/** The settings of a stored directory, with its password in clear. */
export function settingsOf(
  row: DirectoryRow,
  { box, tenantId }: { box: SecretBox; tenantId: number },
): DirectorySettings {
  return { ...row, tenantId, bindPassword: openBindPassword(row, { box, tenantId }) };
}

export function rulesOf({ groupRoles, createUsers }: DirectoryRow): AdmissionRules {
  return { groupRoles: readGroupRoles(groupRoles), createUsers, anyCase: true };
}

export function personOfEntry({ id, name, groups }: DirectoryEntry, username: string): OutsidePerson {
  return { issuer: directoryIssuer, subject: id, username, name, groups };
}

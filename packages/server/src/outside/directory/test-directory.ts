import type { DirectoryTestAnswer } from '@tocsin/contract';
import type { Runtime } from '../../postgres/runtime.ts';
import { roleOfGroups } from '../group-role.ts';
import { readGroupRoles } from '../group-roles.wire.ts';
import type { DirectoryRow } from './directory.store.ts';
import { DirectoryAway } from './directory-away.ts';
import type { WithDirectory } from './directory-connections.ts';
import { filterOfName } from './directory-filter.ts';
import { settingsOf } from './directory-settings.ts';
import { searchDirectory } from './search-directory.ts';

const nobody = { reached: true, found: false, groups: [] };

/** Searches for a person with the stored settings, and shows the role that they would get. */
export async function testDirectory(
  { box, log }: Runtime,
  withDirectory: WithDirectory,
  { tenantId, row, username }: { tenantId: number; row: DirectoryRow; username: string },
): Promise<DirectoryTestAnswer> {
  const filter = filterOfName(row.userFilter, username);
  try {
    const searched = await searchDirectory(withDirectory, settingsOf(row, { box, tenantId }), filter);
    if (searched.kind === 'unknown')
      return { ...nobody, reason: 'no entry matches: check baseDn, userFilter and the rights of bindDn' };
    if (searched.kind === 'ambiguous')
      return { ...nobody, reason: 'several entries match: make userFilter narrower' };
    const { name, groups, enabled } = searched.entry;
    const role = roleOfGroups(readGroupRoles(row.groupRoles), groups, { anyCase: true });
    return {
      reached: true,
      found: true,
      name,
      groups: [...groups],
      ...(role !== undefined && { role }),
      ...(!enabled && { reason: 'the account is disabled in the directory' }),
    };
  } catch (error) {
    if (!(error instanceof DirectoryAway)) throw error;
    log.info({ tenantId, reason: error.message, err: error.cause }, 'a test of the directory failed');
    return { reached: false, found: false, groups: [], reason: error.message };
  }
}

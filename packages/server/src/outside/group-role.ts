import type { GroupRole, Role } from '@tocsin/contract';

/**
 * The role of the first entry of the list that names one of the groups; undefined without a match. `anyCase` is for
 * directories, whose names have no case.
 */
export function roleOfGroups(
  groupRoles: readonly GroupRole[],
  groups: readonly string[],
  { anyCase }: { anyCase: boolean },
): Role | undefined {
  const normalize = (group: string) => (anyCase ? group.toLowerCase() : group);
  const given = new Set(groups.map(normalize));
  return groupRoles.find(({ group }) => given.has(normalize(group)))?.role;
}

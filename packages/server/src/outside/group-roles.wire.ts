import { GroupRole } from '@tocsin/contract';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

const GroupRoles = Type.Array(GroupRole);

/** The list of groups and roles in a column. */
export function readGroupRoles(column: unknown): GroupRole[] {
  return Value.Parse(GroupRoles, column);
}

import { ProblemError } from '../common/problem.ts';
import type { Principal } from '../http/principal.ts';

/** People change their own duties if they may act on alarms; those of others need the right to write call groups. */
export function requireOwnDuty({ permissions, userId: self, name, role }: Principal, userId: number): void {
  if (permissions.has('callgroups:write')) return;
  if (self === userId && permissions.has('alarms:act')) return;
  throw new ProblemError('not-allowed', `${name} (${role}) may change only their own duties`);
}

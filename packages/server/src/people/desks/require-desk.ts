import { ProblemError } from '../../common/problem.ts';
import { principalOf } from '../../http/authorization.ts';
import type { AtDesk, Principal } from '../../http/principal.ts';

/**
 * The caller at a shared desk. A session that has just become one may not be known as such here for some seconds, so
 * whatever depends on it reads the desk from the database.
 */
export function requireDesk(request: { principal: Principal | undefined }): Principal & { desk: AtDesk } {
  const principal = principalOf(request);
  const { desk, sessionId } = principal;
  if (desk) return { ...principal, desk };
  if (sessionId === undefined) throw noDesk();
  return { ...principal, desk: { kind: 'desk', sessionId } };
}

export function noDesk(): ProblemError {
  return new ProblemError(
    'not-allowed',
    'This session is no shared desk, or no longer: log in and make it one with POST /auth/desk',
  );
}

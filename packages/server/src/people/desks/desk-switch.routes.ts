import { DeskAnswer, DeskSwitch } from '@tocsin/contract';
import type { Static } from 'typebox';
import { createRefusalLimit } from '../../audit/refusal-limit.ts';
import { invalid, ProblemError } from '../../common/problem.ts';
import { auditOrigin } from '../../http/audit-origin.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { createLoginQueue } from '../../identity/sessions/login-queue.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { createBadgeHash, type HashBadge } from './badge-hash.ts';
import { issueDeskToken } from './desk-token.ts';
import { noDesk, requireDesk } from './require-desk.ts';
import { type Proof, type SwitchOutcome, switchPerson } from './switch-person.ts';

/** Tries that may wait at one desk. */
const maxWaiting = 20;

/** People sign in at a desk with a PIN or a badge. */
export function deskSwitchRoute(app: HttpApp, runtime: Runtime): void {
  const refusalLimit = createRefusalLimit();
  const inTurn = createLoginQueue(maxWaiting);
  const hashBadge = createBadgeHash(runtime);
  app.post(
    '/api/v1/auth/desk/switch',
    {
      config: {
        permission: 'self',
        atDesk: true,
        audit: { action: 'desk.switch', object: 'session' },
      },
      schema: {
        tags: ['desks'],
        summary: 'Sign in at this desk with a PIN or a badge',
        body: DeskSwitch,
        response: { 200: DeskAnswer },
      },
    },
    async (request) => {
      const principal = requireDesk(request);
      const proof = await proofOf(request.body, principal.tenantId, hashBadge);
      const limits = [
        { key: principal.desk.sessionId, maxConcurrent: 1 },
        { key: 'everybody', maxConcurrent: 2 },
      ];
      const attempt = { proof, origin: auditOrigin(request), refusalLimit };
      const outcome = await inTurn(limits, () => switchPerson(runtime, principal, attempt));
      if (outcome.kind !== 'signed-in') throw refusalOf(outcome);
      return issueDeskToken(runtime, principal.tenantId, outcome);
    },
  );
}

async function proofOf(
  { userId, pin, badge }: Static<typeof DeskSwitch>,
  tenantId: number,
  hashBadge: HashBadge,
): Promise<Proof> {
  if (badge !== undefined && pin === undefined && userId === undefined)
    return { badgeHash: await hashBadge(tenantId, badge) };
  if (badge === undefined && pin !== undefined && userId !== undefined) return { userId, pin };
  throw invalid('/badge', 'is needed alone, or userId and pin instead');
}

function refusalOf(outcome: Exclude<SwitchOutcome, { kind: 'signed-in' }>): ProblemError {
  if (outcome.kind === 'closed') return noDesk();
  if (outcome.kind === 'wrong')
    return new ProblemError('not-allowed', 'The PIN is wrong, or nobody here has this badge');
  const { seconds } = outcome;
  return new ProblemError(
    'too-many-requests',
    `Too many wrong tries; try again in ${seconds} s, or log in with your password elsewhere`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

import { SessionConfirmation, SessionConfirmed } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { ProblemError } from '../../common/problem.ts';
import { auditChange } from '../../http/audit-change.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { Principal } from '../../http/principal.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { relyingPartyOf } from '../second-factors/relying-party.ts';
import { readSecuritySettings } from '../security-settings/security-settings.store.ts';
import type { AuthSettings } from '../sessions/auth.routes.ts';
import { createLoginQueue } from '../sessions/login-queue.ts';
import { confirmUser } from './confirm-user.ts';
import { confirmSession } from './confirmation.store.ts';
import { confirmedUntil } from './require-confirmation.ts';

/** Confirmations that may wait for the same user or for a hash. */
const maxWaiting = 20;

/** Users prove again that it is them, before a dangerous action. */
export function confirmationRoutes(
  app: HttpApp,
  runtime: Runtime,
  { publicUrl }: Pick<AuthSettings, 'publicUrl'>,
): void {
  const inTurn = createLoginQueue(maxWaiting);
  app.post(
    '/api/v1/auth/confirmation',
    {
      config: {
        permission: 'self',
        beforeSecondFactor: true,
        audit: { action: 'session.confirm', object: 'session' },
      },
      schema: {
        tags: ['auth'],
        summary: 'Confirm that it is still you, with the password or a second factor',
        body: SessionConfirmation,
        response: { 200: SessionConfirmed },
      },
    },
    async (request) => {
      const { tenantId, userId, sessionId } = sessionOf(principalOf(request));
      const relyingParty = relyingPartyOf(request, publicUrl);
      const proof = { tenantId, userId, given: request.body, address: request.ip, relyingParty };
      const limits = [
        { key: `user ${tenantId}/${userId}`, maxConcurrent: 1 },
        { key: 'everybody', maxConcurrent: 2 },
      ];
      await inTurn(limits, () => confirmUser(runtime, proof));
      return inTenant(runtime.database, tenantId, async (transaction) => {
        await confirmSession(transaction, sessionId);
        const { settings } = await readSecuritySettings(transaction);
        await auditChange(transaction, request, { id: sessionId });
        return { until: formatUtc(confirmedUntil(transaction.now, settings.confirmationMinutes)) };
      });
    },
  );
}

function sessionOf({ tenantId, userId, sessionId }: Principal) {
  if (userId === undefined || sessionId === undefined)
    throw new ProblemError('not-allowed', 'Only a user who has logged in here has a session to confirm');
  return { tenantId, userId, sessionId };
}

import { addSeconds } from '@tocsin/domain';
import { ProblemError } from '../../common/problem.ts';
import type { RequireConfirmation } from '../../http/authorization.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { readTenant } from '../../postgres/tenant-transaction.ts';
import { readSecuritySettings } from '../security-settings/security-settings.store.ts';
import { findConfirmation } from './confirmation.store.ts';

/**
 * Asks users with a second factor, and all users where the tenant wants it, for a fresh proof. API keys and tokens of
 * outside issuers have no session and nobody to ask. Reads the session each time, so that a confirmation counts at once.
 */
export function createConfirmationCheck({ database }: Pick<Runtime, 'database'>): RequireConfirmation {
  return async ({ tenantId, sessionId }) => {
    if (sessionId === undefined) return;
    const isFresh = await readTenant(database, tenantId, async (transaction) => {
      const session = await findConfirmation(transaction, sessionId);
      const { settings } = await readSecuritySettings(transaction);
      if (!session || !(settings.confirmDangerous || session.hasSecondFactor)) return true;
      return confirmedUntil(session.confirmedAt, settings.confirmationMinutes) > transaction.now;
    });
    if (isFresh) return;
    throw new ProblemError(
      'confirmation-required',
      'Confirm that it is you with POST /auth/confirmation, or log in again; then repeat the request',
    );
  };
}

/** How long a proof of the user counts. */
export function confirmedUntil(confirmedAt: Date, minutes: number): Date {
  return addSeconds(confirmedAt, minutes * 60);
}

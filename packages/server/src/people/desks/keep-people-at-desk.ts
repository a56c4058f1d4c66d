import { addSeconds } from '@tocsin/domain';
import type { HttpApp } from '../../http/http-app.ts';
import { readSecuritySettings } from '../../identity/security-settings/security-settings.store.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { extendAtDesk } from './desk.store.ts';

/** Somebody who acts at a desk stays signed in. Reading does not count: the console reads by itself. */
export function keepPeopleAtDesk(app: HttpApp, { database, log }: Runtime): void {
  app.addHook('onSend', async ({ method, principal }, { statusCode }) => {
    if (principal?.desk?.kind !== 'person' || method === 'GET' || statusCode >= 400) return;
    const { tenantId, sessionId } = principal;
    if (sessionId === undefined) return;
    try {
      await inTenant(database, tenantId, async (transaction) => {
        const { deskMinutes } = (await readSecuritySettings(transaction)).settings;
        await extendAtDesk(transaction, sessionId, addSeconds(transaction.now, deskMinutes * 60));
      });
    } catch (error) {
      // They are signed out early, which is safe, and sign in again.
      log.warn({ err: error, tenantId, sessionId }, 'session at a desk not extended');
    }
  });
}

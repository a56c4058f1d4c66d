import { PasskeyOptionsBody, WebAuthnJson } from '@tocsin/contract';
import { ProblemError } from '../../common/problem.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { outsideTenants, readTenant } from '../../postgres/tenant-transaction.ts';
import { findLogInStep, readStepToken } from '../second-factors/log-in-step.store.ts';
import { listPasskeys } from '../second-factors/passkey.store.ts';
import { proofOptions } from '../second-factors/passkey-options.ts';
import { relyingPartyOf } from '../second-factors/relying-party.ts';
import type { AuthSettings } from '../sessions/auth.routes.ts';

/** What a browser needs to prove a passkey, in a log-in or a confirmation. */
export function passkeyOptionsRoute(
  app: HttpApp,
  runtime: Runtime,
  { publicUrl }: Pick<AuthSettings, 'publicUrl'>,
): void {
  app.post(
    '/api/v1/auth/passkey-options',
    {
      config: { permission: 'public', audit: 'nothing', bodyOptional: true },
      schema: {
        tags: ['auth'],
        summary: 'Get a challenge for a passkey',
        body: PasskeyOptionsBody,
        response: { 200: WebAuthnJson },
      },
    },
    async (request) => {
      const relyingParty = relyingPartyOf(request, publicUrl);
      const { mfa_token } = request.body;
      const asked = await passkeysFor(runtime, mfa_token);
      return proofOptions(runtime.box, relyingParty, asked);
    },
  );
}

/** The passkeys of the user who has entered their password; none, and thus any, without a token. */
async function passkeysFor({ database }: Runtime, stepToken: string | undefined) {
  if (stepToken === undefined) return outsideTenants(database, async ({ now }) => ({ passkeys: [], now }));
  const read = readStepToken(stepToken);
  const found =
    read &&
    (await readTenant(database, read.tenantId, async (transaction) => {
      const step = await findLogInStep(transaction, read.hash);
      return step && { passkeys: await listPasskeys(transaction, step.userId), now: transaction.now };
    }));
  if (!found) throw new ProblemError('conflict', 'The log-in has expired: begin with the password');
  return found;
}

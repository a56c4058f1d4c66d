import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client';
import { ProblemError } from '../../common/problem.ts';
import { newSecret, sha256 } from '../../identity/tokens/secret.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, readTenant } from '../../postgres/tenant-transaction.ts';
import { findEnabledIssuer } from './issuer.store.ts';
import { openClientSecret } from './issuer.wire.ts';
import type { IssuerClients } from './issuer-clients.ts';
import { insertSignIn } from './sign-in.store.ts';
import { newState, secretsOf } from './sign-in-secrets.ts';

/** The page of the issuer, and the secret for the cookie that binds the sign-in to this browser. */
export type StartedSignIn = { location: string; cookie: string } | { problem: 'issuer-unreachable' };

/** Begins the authorization code flow with PKCE at an issuer of the tenant. */
export async function startSignIn(
  { database, box, log }: Runtime,
  clients: IssuerClients,
  { tenantId, issuerId, redirectUri }: { tenantId: number; issuerId: number; redirectUri: string },
): Promise<StartedSignIn> {
  const { row, now } = await readTenant(database, tenantId, async (transaction) => ({
    row: await findEnabledIssuer(transaction, issuerId),
    now: transaction.now,
  }));
  if (!row) throw new ProblemError('not-found', 'There is no such way to sign in');
  const client = await clients(
    { ...row, tenantId, clientSecret: openClientSecret(row, { box, tenantId }) },
    now,
  ).catch((error: unknown) => {
    log.warn({ err: error, tenantId, issuer: row.issuer }, 'the configuration of an issuer cannot be read');
  });
  if (!client) return { problem: 'issuer-unreachable' };
  const cookie = newSecret();
  const state = newState(tenantId);
  const { nonce, verifier } = secretsOf(cookie);
  await inTenant(database, tenantId, (transaction) =>
    insertSignIn(transaction, { stateHash: sha256(state), cookieHash: sha256(cookie), issuerId }),
  );
  const location = buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope: row.scopes,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  return { location: location.href, cookie };
}

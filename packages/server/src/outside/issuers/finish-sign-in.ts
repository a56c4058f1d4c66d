import type { SignInAnswer, SignInProblem } from '@tocsin/contract';
import { addSeconds } from '@tocsin/domain';
import { authorizationCodeGrant, ClientError, type Configuration, fetchUserInfo } from 'openid-client';
import type { AuditOrigin } from '../../audit/audit-entry.ts';
import { ConnectionFault } from '../../channels/network/connection-fault.ts';
import { openSession } from '../../identity/sessions/open-session.ts';
import { issueLoginTokens, type LoginTokens } from '../../identity/sessions/session-tokens.ts';
import { sha256 } from '../../identity/tokens/secret.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant } from '../../postgres/tenant-transaction.ts';
import { admitPerson } from '../admit-person.ts';
import { readGroupRoles } from '../group-roles.wire.ts';
import { actorOfPerson, type OutsidePerson } from '../outside-person.ts';
import { personOf } from './claims.wire.ts';
import { findEnabledIssuer, type IssuerRow } from './issuer.store.ts';
import { openClientSecret } from './issuer.wire.ts';
import type { IssuerClients } from './issuer-clients.ts';
import { takeSignIn } from './sign-in.store.ts';
import { readState, secretsOf } from './sign-in-secrets.ts';

export type SignInAttempt = {
  answer: SignInAnswer;
  /** The secret that the browser got when the sign-in began; undefined in another browser. */
  cookie: string | undefined;
  redirectUri: string;
  device: string;
  origin: AuditOrigin;
  sessionHours: number;
};

export type FinishedSignIn = { tokens: LoginTokens } | { problem: SignInProblem };

/** A sign-in must be finished in this time. */
export const signInSeconds = 600;

/** Checks the answer of an issuer, and opens a session for the user that the person is linked to. */
export async function finishSignIn(
  runtime: Runtime,
  clients: IssuerClients,
  attempt: SignInAttempt,
): Promise<FinishedSignIn> {
  const { answer, cookie = '' } = attempt;
  const state = readState(answer.state ?? '');
  if (!state || cookie === '') return { problem: 'sign-in-expired' };
  const { tenantId, hash: stateHash } = state;
  const begun = await inTenant(runtime.database, tenantId, async (transaction) => {
    const since = addSeconds(transaction.now, -signInSeconds);
    const taken = await takeSignIn(transaction, { stateHash, cookieHash: sha256(cookie), since });
    const row = taken && (await findEnabledIssuer(transaction, taken.issuerId));
    return row && { row, now: transaction.now };
  });
  if (!begun) return { problem: 'sign-in-expired' };
  const { row } = begun;
  const { log } = runtime;
  if (answer.error !== undefined || answer.code === undefined) {
    log.info({ tenantId, issuer: row.issuer, error: answer.error }, 'the issuer refused a sign-in');
    return { problem: 'issuer-refused' };
  }
  try {
    const clientSecret = openClientSecret(row, { box: runtime.box, tenantId });
    const client = await clients({ ...row, tenantId, clientSecret }, begun.now);
    const person = await readPerson(client, row, { ...attempt, cookie });
    if (!person) return { problem: 'token-not-accepted' };
    return await enter(runtime, person, { row, tenantId, attempt });
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    log.warn({ err: error, tenantId, issuer: row.issuer }, 'a sign-in through an issuer failed');
    return { problem };
  }
}

/** Exchanges the code for an ID token. The client checks its signature, issuer, audience, times and nonce. */
async function readPerson(
  client: Configuration,
  { groupsClaim }: IssuerRow,
  { answer, cookie, redirectUri }: SignInAttempt & { cookie: string },
): Promise<OutsidePerson | undefined> {
  const { nonce, verifier } = secretsOf(cookie);
  const { state = '', code = '', iss } = answer;
  const url = new URL(redirectUri);
  url.search = new URLSearchParams({ state, code, ...(iss !== undefined && { iss }) }).toString();
  const tokens = await authorizationCodeGrant(client, url, {
    pkceCodeVerifier: verifier,
    expectedNonce: nonce,
    expectedState: state,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) return undefined;
  // Some issuers have the groups only there.
  const needsMore = claims[groupsClaim] === undefined && client.serverMetadata().userinfo_endpoint;
  const more = needsMore ? await fetchUserInfo(client, tokens.access_token, claims.sub) : {};
  return personOf({ ...more, ...claims }, groupsClaim);
}

async function enter(
  { database, box, log }: Runtime,
  person: OutsidePerson,
  { row, tenantId, attempt }: { row: IssuerRow; tenantId: number; attempt: SignInAttempt },
): Promise<FinishedSignIn> {
  const { origin, device, sessionHours } = attempt;
  const rules = {
    groupRoles: readGroupRoles(row.groupRoles),
    createUsers: row.createUsers,
    anyCase: false,
  };
  const outcome = await inTenant(database, tenantId, async (transaction) => {
    const admission = await admitPerson(transaction, person, { rules, origin, log });
    if ('refused' in admission) return admission;
    const { account } = admission;
    return openSession(transaction, {
      account,
      sessionHours,
      // The issuer is responsible for second factors.
      secondFactor: true,
      outside: { issuer: person.issuer, actor: actorOfPerson(person) },
      inCookie: true,
      device,
      origin,
    });
  });
  const { issuer, subject } = person;
  if ('refused' in outcome) {
    // An administrator needs the subject to link a user. The token is genuine, so it can be logged.
    log.info({ tenantId, issuer, subject, reason: outcome.refused }, 'sign-in refused');
    return { problem: outcome.refused };
  }
  log.info({ tenantId, issuer, userId: outcome.account.userId, sessionId: outcome.sessionId }, 'signed in');
  return { tokens: await issueLoginTokens({ database, box }, outcome) };
}

/** Undefined for an error that is a bug. Every check of `openid-client` that fails has a code. */
function problemOf(error: unknown): SignInProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof ConnectionFault || error.cause instanceof ConnectionFault) return 'issuer-unreachable';
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'OAUTH_TIMEOUT') return 'issuer-unreachable';
  return code.startsWith('OAUTH_') || error instanceof ClientError ? 'token-not-accepted' : undefined;
}

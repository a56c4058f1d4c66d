import { server } from '../security-claim.ts';
import { met, notMet, type Requirement } from './requirement.ts';

const session = `${server}/identity/sessions/session.test.ts`;
const directory = `${server}/outside/directory/directory-log-in.test.ts`;
const userSession = `${server}/people/self-service/user-session.test.ts`;
const accessToken = `${server}/identity/tokens/access-token.test.ts`;
const oidc = `${server}/identity/tokens/oidc.test.ts`;
const permissions = `${server}/http/permission-matrix.test.ts`;
const references = `${server}/http/reference-matrix.test.ts`;
const rowSecurity = `${server}/postgres/row-level-security.test.ts`;
const users = `${server}/people/user.test.ts`;
const conformance = 'acceptance/scenarios/conformance/authentication.test.ts';

/** Chapters 7 to 9: sessions, authorization, tokens. */
export const sessionRequirements: readonly Requirement[] = [
  notMet(
    ['7.1.1', 2, 'Times of sessions are documented and justified'],
    '`SESSION_HOURS` and the times of tokens are documented, without a comparison with NIST SP 800-63B',
  ),
  notMet(
    ['7.1.2', 2, 'The number of parallel sessions is documented'],
    'It is not limited, and the documents do not say so',
  ),
  notMet(
    ['7.1.3', 2, 'Sessions with outside log-ins are documented'],
    '[outside-log-ins.md](outside-log-ins.md) says how long they live and that a log-out does not reach the issuer; no test compares it with the code',
  ),
  met(['7.2.1', 1, 'The server checks tokens'], 'For every request, with the session in the database', [
    accessToken,
    'a session of another tenant is rejected, although both have a user 1',
  ]),
  met(
    ['7.2.2', 1, 'Sessions use dynamic tokens'],
    'Signed access tokens of 15 minutes, and refresh tokens that work once',
    [conformance, '§5 an access token lives 15 minutes'],
    [conformance, '§5 a refresh token is good for one use'],
  ),
  met(
    ['7.2.3', 1, 'Tokens are random, with at least 128 bits'],
    'Refresh tokens have 256 random bits, stored as a hash',
    [session, 'only the hash of a refresh token is kept'],
  ),
  met(['7.2.4', 1, 'A log-in gives a new token'], 'Each log-in is a new session', [
    userSession,
    'people see where they are signed in, and which session is the present one',
  ]),
  met(
    ['7.3.1', 2, 'Sessions end without use'],
    'A refresh token that is not used for fourteen days expires',
    [session, 'a refresh token is valid for fourteen days'],
  ),
  met(['7.3.2', 2, 'Sessions have a longest life'], '`SESSION_HOURS`, by default 30 days', [
    session,
    'a session expires 30 days after its log-in, however often it is refreshed',
  ]),
  met(['7.4.1', 1, 'An ended session cannot be used'], 'On every server within five seconds', [
    session,
    'a log-out takes effect within five seconds on every server',
  ]),
  met(
    ['7.4.2', 1, 'Sessions end with the account'],
    'Within five seconds',
    [session, 'a disabled user loses access within five seconds, and cannot refresh'],
    [session, 'a deleted user loses access within five seconds'],
  ),
  met(['7.4.3', 2, 'Other sessions end after a new password'], 'All of them', [
    `${server}/people/self-service/own-password.test.ts`,
    'people change their password, and all other sessions end',
  ]),
  met(['7.4.4', 2, 'Every page offers to log out'], 'In the menu of the account', [
    'acceptance/scenarios/client-session.test.ts',
    'a page that is loaded again continues its session, until somebody signs out',
  ]),
  met(['7.4.5', 2, 'Administrators end sessions'], 'Of any user of their tenant', [
    userSession,
    'nobody sees or ends the sessions of others but an administrator',
  ]),
  notMet(
    ['7.5.1', 2, 'Sensitive changes of an account need another log-in'],
    'A new password needs the current one, and a change of second factors a fresh confirmation; a new address needs a code, not another log-in',
  ),
  notMet(
    ['7.5.2', 2, 'Users see their sessions and, after another log-in, end them'],
    'They see and end them, without another log-in',
  ),
  met(
    ['7.6.1', 2, 'Sessions of outside log-ins end as documented'],
    'As all sessions; those of a directory also end when the person is removed there',
    [directory, 'a person who is removed has no session any more, at most 15 minutes later'],
  ),
  met(
    ['7.6.2', 2, 'No session begins without an act of the user'],
    'A sign-in ends only in the browser in which it was begun',
    [`${server}/outside/issuers/sign-in.test.ts`, 'it ends in the browser in which it began'],
  ),
  met(
    ['8.1.1', 1, 'Rights are documented'],
    '[Roles and permissions](operations.md#roles-and-permissions), compared with the code',
    ['tools/docs.test.ts', 'docs/operations.md has every role with exactly its permissions'],
  ),
  notMet(
    ['8.1.2', 2, 'Rights to single members are documented'],
    '[interface.md](interface.md) describes which members of an alarm a source may change; no test compares it with the code',
  ),
  met(
    ['8.2.1', 1, 'Functions need permissions'],
    'Every route names its permission; every role tries every route',
    [permissions, 'the matrix covers all routes of the server'],
    [permissions, 'each route needs the permission of its kind of row and verb'],
  ),
  met(
    ['8.2.2', 1, 'Objects need permissions'],
    'By tenant and station; every reference of every request is tried',
    [references, 'the matrix is of all routes, roles, tenants and stations, and large'],
  ),
  met(
    ['8.2.3', 2, 'Members need permissions'],
    'A source changes the definition of a tag only with `alarms:define`; secrets are never answered',
    [`${server}/alarms/raise-only-key.test.ts`, 'a key that may only raise does not get far by %s'],
    [users, 'users cannot create, change or delete a user with more rights than they have'],
  ),
  met(['8.3.1', 1, 'The server enforces rights'], 'In each route, before the body is read', [
    conformance,
    '§5 the token is checked before the body',
  ]),
  met(
    ['8.4.1', 2, 'Tenants cannot reach each other'],
    'Row-level security, forced for the owner too, and a tenant in every query',
    [rowSecurity, 'with a tenant the server sees the rows of that tenant only'],
    [rowSecurity, "another tenant's rows can be neither changed nor deleted"],
  ),
  met(
    ['9.1.1', 1, 'Signatures are checked first'],
    'Ed25519, before any claim is used',
    [conformance, '§5 a token whose signature was changed is 401'],
    [conformance, '§5 a token whose claims were changed is 401'],
  ),
  met(
    ['9.1.2', 1, 'Algorithms are listed'],
    'EdDSA for our own tokens; a list without symmetric ones for issuers',
    [oidc, 'a token signed by a secret that both know'],
  ),
  met(
    ['9.1.3', 1, 'Keys come from configured places'],
    'From the database or the configured issuer; headers of tokens name no keys',
    [
      `${server}/identity/tokens/key-rotation.test.ts`,
      'a key that was inserted into the database cannot sign tokens',
    ],
    [oidc, 'an issuer that is not listed is never contacted'],
  ),
  met(['9.2.1', 1, 'Times of tokens are checked'], 'With a tolerance of one second', [
    accessToken,
    'a token expires at its time, with a tolerance of one second',
  ]),
  met(
    ['9.2.2', 2, 'The kind of a token is checked'],
    'ID tokens are refused as access tokens; refresh tokens only in their own place',
    [oidc, 'an ID token that says nothing of itself'],
    [
      `${server}/identity/sessions/session-cookie.test.ts`,
      'a token is accepted only the way it was given out',
    ],
  ),
  met(['9.2.3', 2, 'The audience is checked'], 'That of the issuer in `OIDC_ISSUERS`', [
    oidc,
    'for another audience',
  ]),
  met(
    ['9.2.4', 2, 'Tokens for several audiences name theirs'],
    'Our tokens are for this installation only, and name the tenant',
    [accessToken, 'a session of another tenant is rejected, although both have a user 1'],
  ),
];

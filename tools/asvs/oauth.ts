import { server } from '../security-claim.ts';
import { met, notApplicable, notMet, type Requirement } from './requirement.ts';

const oidc = `${server}/identity/tokens/oidc.test.ts`;
const session = `${server}/identity/sessions/session.test.ts`;
const signIn = `${server}/outside/issuers/sign-in.test.ts`;
const noProvider = 'The server is no OAuth provider for other applications';

/** Chapter 10: OAuth and OpenID Connect. */
export const oauthRequirements: readonly Requirement[] = [
  met(
    ['10.1.1', 2, 'Tokens go only where they are needed'],
    'Refresh tokens of browsers are in a cookie that scripts cannot read',
    [
      `${server}/identity/sessions/session-cookie.test.ts`,
      'a page gets its refresh token in a cookie that scripts cannot read, and nowhere else',
    ],
  ),
  met(
    ['10.1.2', 2, 'Answers of an issuer belong to the log-in that was begun'],
    'State, nonce and a cookie of the browser',
    [signIn, 'it ends in the browser in which it began'],
    [signIn, 'a changed state is not known'],
  ),
  met(
    ['10.2.1', 2, 'The code flow cannot be forged'],
    'PKCE with S256, and state',
    [signIn, 'a code with the state and cookie of another sign-in is refused by the provider'],
    [signIn, 'a code is used once: the same address a second time opens nothing'],
  ),
  met(['10.2.2', 2, 'Issuers cannot be mixed up'], 'The issuer of the answer and of the token is compared', [
    signIn,
    'the token of one issuer does not open the tenant of another',
  ]),
  met(
    ['10.3.1', 2, 'Access tokens are for this server'],
    'The audience of each issuer is configured and checked',
    [oidc, 'for another audience'],
  ),
  met(
    ['10.3.2', 2, 'Claims decide about rights'],
    'The subject decides; the rights are those of the linked user',
    [oidc, 'an issuer can authenticate only linked users of its own tenant'],
  ),
  met(['10.3.3', 2, 'Users are found by claims that are never reassigned'], 'Issuer and subject', [
    `${server}/identity/audit-oidc-user.test.ts`,
    'an OIDC user is in the audit trail under issuer and subject, and is found by them',
  ]),
  notMet(
    ['10.3.4', 2, 'The strength of the log-in is checked'],
    'The server does not look at acr, amr or auth_time',
  ),
  notApplicable(['10.4.1', 1, 'Redirect addresses are listed'], noProvider),
  notApplicable(['10.4.2', 1, 'Authorization codes work once'], noProvider),
  notApplicable(['10.4.3', 1, 'Authorization codes are short-lived'], noProvider),
  notMet(
    ['10.4.4', 1, 'The password grant is not used'],
    'The interface that clients were promised logs in by a password grant, for its own users only',
  ),
  met(
    ['10.4.5', 1, 'Stolen refresh tokens are detected'],
    'They work once, and a second use ends the session',
    [session, 'a refresh token that is used twice ends the session for thief and owner'],
  ),
  notApplicable(['10.4.6', 2, 'Codes need PKCE'], noProvider),
  notApplicable(['10.4.7', 2, 'Registration of clients is controlled'], noProvider),
  met(['10.4.8', 2, 'Refresh tokens end'], 'With their session', [
    session,
    'a session expires 30 days after its log-in, however often it is refreshed',
  ]),
  met(['10.4.9', 2, 'Users revoke tokens'], 'On the page of their account', [
    `${server}/people/self-service/user-session.test.ts`,
    'a session that is ended is dead at once, and the others live on',
  ]),
  notApplicable(['10.4.10', 2, 'Confidential clients are authenticated'], noProvider),
  notApplicable(['10.4.11', 2, 'Clients get only the scopes they need'], noProvider),
  met(['10.5.1', 2, 'ID tokens cannot be replayed'], 'Each sign-in has a nonce of its own', [
    signIn,
    'another nonce',
  ]),
  met(['10.5.2', 2, 'ID tokens identify users by the subject'], 'With the issuer', [
    signIn,
    'nobody gets a user by a name: one that is taken is refused',
  ]),
  met(['10.5.3', 2, 'The metadata of an issuer must be its own'], 'The configured issuer is compared', [
    oidc,
    'it calls itself something else',
  ]),
  met(['10.5.4', 2, 'ID tokens are for this client'], 'The audience is compared', [
    signIn,
    'another audience',
  ]),
  notApplicable(['10.5.5', 2, 'Logout tokens are checked'], 'There is no back-channel log-out'),
  notApplicable(['10.6.1', 2, 'The provider allows safe response modes only'], noProvider),
  notApplicable(['10.6.2', 2, 'Nobody is logged out by force'], noProvider),
  notApplicable(['10.7.1', 2, 'Users consent'], noProvider),
  notApplicable(['10.7.2', 2, 'Users know what they consent to'], noProvider),
  notApplicable(['10.7.3', 2, 'Users withdraw consent'], noProvider),
];

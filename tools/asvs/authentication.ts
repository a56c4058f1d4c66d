import { server } from '../security-claim.ts';
import { met, notApplicable, notMet, type Requirement } from './requirement.ts';

const delay = `${server}/identity/sessions/login-delay.test.ts`;
const ownPassword = `${server}/people/self-service/own-password.test.ts`;
const users = `${server}/people/user.test.ts`;
const addressCode = `${server}/contacts/address-code.test.ts`;
const setUp = `${server}/people/set-up.test.ts`;
const signIn = `${server}/outside/issuers/sign-in.test.ts`;
const oidc = `${server}/identity/tokens/oidc.test.ts`;
const secondStep = `${server}/identity/sessions/second-step.test.ts`;
const totp = `${server}/people/second-factors/totp.test.ts`;
const reset = `${server}/people/password-resets/password-reset.test.ts`;

/** Chapter 6: authentication. */
export const authenticationRequirements: readonly Requirement[] = [
  notMet(
    ['6.1.1', 1, 'Defences against guessing are documented'],
    '[Guessing passwords](operations.md#guessing-passwords) documents them, and how nobody is locked out; no test compares the page with the code',
  ),
  notMet(
    ['6.1.2', 2, 'Words that passwords must not contain are documented'],
    'The documents name the user and the tenant as such words; there is no list of words of the plant',
  ),
  notMet(
    ['6.1.3', 2, 'All ways to log in are documented together'],
    'They are described in [sign-in.md](sign-in.md), [outside-log-ins.md](outside-log-ins.md), [desks.md](desks.md) and [operations.md](operations.md); no test compares them with the code',
  ),
  met(['6.2.1', 1, 'Passwords have at least 8 characters'], 'At least 12', [
    setUp,
    'a configured password that is too short stops the server before it creates anything',
  ]),
  met(['6.2.2', 1, 'Users change their password'], 'On the page of their account', [
    ownPassword,
    'people change their password, and all other sessions end',
  ]),
  met(['6.2.3', 1, 'A change needs the current password'], 'And wrong ones are delayed', [
    ownPassword,
    'without the current password nothing changes, and guesses are delayed',
  ]),
  met(
    ['6.2.4', 1, 'Common passwords are refused'],
    'The 100,000 most common ones',
    [
      `${server}/identity/sessions/weak-password.test.ts`,
      'the list is of at least 100,000 passwords, sorted and none twice',
    ],
    [users, 'a common password is refused for every user, and the answer says what to do'],
  ),
  met(['6.2.5', 1, 'No rules about kinds of characters'], 'Length and the list of common passwords decide', [
    ownPassword,
    'one kind of characters only',
  ]),
  notMet(['6.2.6', 1, 'Password fields hide the entry'], 'type=password on every page; no test shows it'),
  notMet(
    ['6.2.7', 1, 'Pasting and password managers work'],
    'The fields are plain inputs with autocomplete; no test pastes',
  ),
  met(['6.2.8', 1, 'The password is checked as it was typed'], 'It is hashed without a change', [
    ownPassword,
    'a password of %s is accepted, and counts as it was typed',
  ]),
  met(['6.2.9', 2, 'Passwords of 64 characters are possible'], 'Up to 1,024 characters', [
    ownPassword,
    '64 letters',
  ]),
  met(['6.2.10', 2, 'Passwords do not expire'], 'None does', [ownPassword, 'a password does not expire']),
  notMet(
    ['6.2.11', 2, 'Words of the plant are refused in passwords'],
    'The names of the user and the tenant are refused, no other words',
  ),
  notMet(
    ['6.2.12', 2, 'Breached passwords are refused'],
    'The list is of common passwords, which come from breaches; it is not a full list of breaches, and nothing is asked on the Internet',
  ),
  met(
    ['6.3.1', 1, 'Guessing is prevented as documented'],
    'Counts by name, network and both',
    [delay, 'guessing in parallel is no faster'],
    [delay, 'guesses from another network do not lock a user out'],
  ),
  met(
    ['6.3.2', 1, 'No default accounts'],
    'The first administrator needs a one-time code or a configured password',
    [setUp, 'without a code nothing is created, and a refused administrator leaves the code valid'],
  ),
  met(
    ['6.3.3', 2, 'A second factor is used'],
    'An authenticator app or a passkey; each tenant decides for which roles it is required',
    [secondStep, 'a right password of a user with an app asks for the second factor, and opens nothing'],
    [
      'acceptance/scenarios/session-end.test.ts',
      'the hub lets nobody in whose role needs a second factor that is not set up',
    ],
  ),
  notMet(
    ['6.3.4', 2, 'All ways to log in are documented and equally strong'],
    'Passwords with a second factor, passkeys, directories, issuers, PINs at a shared desk and API keys have different strengths, which the documents name; PINs have the rights of operators only',
  ),
  met(
    ['6.4.1', 1, 'Initial codes are random and short-lived'],
    'The set-up code is random, works once and until the next start. Initial passwords of users are chosen by an administrator',
    [setUp, 'only the hash of a set-up code is stored, and only the last code is valid'],
  ),
  notMet(['6.4.2', 1, 'No password hints or secret questions'], 'There are none; no test shows it'),
  met(
    ['6.4.3', 2, 'Forgotten passwords are reset safely'],
    'A one-time code of an administrator; the second factor stays',
    [reset, 'a user sets a new password with a code, once, and all their sessions end'],
    [reset, 'five wrong tries end a code, at all servers together'],
  ),
  notMet(
    ['6.4.4', 2, 'A lost second factor is replaced as carefully as it was set up'],
    'An administrator removes it, which ends all sessions and is recorded; how the administrator makes sure who asks is not enforced',
  ),
  met(
    ['6.5.1', 2, 'Codes work once'],
    'Codes of apps, recovery codes, reset codes and proofs of passkeys',
    [secondStep, 'the code of the app completes the log-in, once'],
    [secondStep, 'a recovery code completes a log-in, once'],
  ),
  met(['6.5.2', 2, 'Recovery codes are stored as hashes'], 'They have 75 random bits', [
    totp,
    'the secret is in the database only under seal, and recovery codes only as hashes',
  ]),
  met(['6.5.3', 2, 'Codes are random'], 'They come from the generator of the operating system', [
    `${server}/identity/second-factors/totp.test.ts`,
    'there are ten, all different, each with 75 random bits',
  ]),
  met(['6.5.4', 2, 'Codes have at least 20 bits'], 'Six digits, five tries', [
    addressCode,
    'five wrong tries end a code, however they come, and a new one works',
  ]),
  met(
    ['6.5.5', 2, 'Codes live for 10 minutes at most'],
    'Codes of apps live for 90 seconds. Codes that confirm an address live for 15 minutes; they are no second factor',
    [
      `${server}/identity/second-factors/totp.test.ts`,
      'a code counts 30 seconds before and after its time, and no longer',
    ],
  ),
  notApplicable(
    ['6.6.1', 2, 'Codes by telephone need a confirmed number and a stronger choice'],
    'No code by telephone or text message logs anybody in',
  ),
  met(['6.6.2', 2, 'Codes belong to one log-in'], 'A code counts only with the token of its password', [
    secondStep,
    'the step of one user does not take the code of another',
  ]),
  met(
    ['6.6.3', 2, 'Guessing codes is limited'],
    'Tries are counted in the database, for all servers together',
    [addressCode, 'five wrong tries end a code, however they come, and a new one works'],
    [secondStep, 'five wrong codes end a step, and the user has to wait whichever step comes next'],
    [
      `${server}/guess-codes.test.ts`,
      'of 400 guesses of a set-up code 5 are checked, however many servers there are',
    ],
  ),
  met(
    ['6.8.1', 2, 'An issuer cannot imitate users of another'],
    'Users are linked by issuer and subject, and an issuer belongs to one tenant',
    [oidc, 'an issuer can authenticate only linked users of its own tenant'],
    [signIn, 'the token of one issuer does not open the tenant of another'],
  ),
  met(['6.8.2', 2, 'Assertions are signed'], 'Signature, issuer, audience and type are checked', [
    oidc,
    'a token that only claims to be of the issuer is refused',
  ]),
  notApplicable(['6.8.3', 2, 'SAML assertions are used once'], 'There is no SAML'),
  notMet(
    ['6.8.4', 2, 'The strength of an outside log-in is checked'],
    'The server does not look at acr, amr or auth_time',
  ),
];

import { type SecurityClaim, server } from './security-claim.ts';

/** Rows of docs/security.md about log-ins. */
export const logInClaims: readonly SecurityClaim[] = [
  {
    threat: 'Somebody enters the number of another person, who is then called and can take alarms',
    defence:
      'An address that people add for themselves is called only after a code that was sent to it was entered: five tries, 15 minutes, three codes an hour for an address',
    proofs: [
      [
        `${server}/dispatch/engine/unconfirmed-addresses.test.ts`,
        'an unconfirmed number is passed over, and the next person is called',
      ],
      [
        `${server}/contacts/address-code.test.ts`,
        'five wrong tries end a code, however they come, and a new one works',
      ],
      [`${server}/contacts/address-code.test.ts`, 'an address gets three codes in an hour, from whomever'],
    ],
  },
  {
    threat: 'A password is among the first that an attacker tries',
    defence:
      'The 100,000 most common passwords, also with digits or signs at the end, and the names of user and tenant are refused when a password is set',
    proofs: [
      [
        `${server}/people/user.test.ts`,
        'a common password is refused for every user, and the answer says what to do',
      ],
      [
        `${server}/people/set-up.test.ts`,
        'a common password is refused for the first administrator, and the code stays valid',
      ],
    ],
  },
  {
    threat: 'A session goes on at a desk that nobody remembers, or at that of a thief',
    defence:
      'Users see where they are signed in and end sessions; a new password of their own ends all others. A desk that is signed in does not help to guess the password: wrong current ones are delayed',
    proofs: [
      [
        'packages/server/src/people/self-service/user-session.test.ts',
        'a session that is ended is dead at once, and the others live on',
      ],
      [
        'packages/server/src/people/self-service/own-password.test.ts',
        'people change their password, and all other sessions end',
      ],
      [
        'packages/server/src/people/self-service/own-password.test.ts',
        'without the current password nothing changes, and guesses are delayed',
      ],
    ],
  },
  {
    threat: 'A stolen session is refreshed for ever',
    defence: 'By default a session ends 30 days after its log-in (`SESSION_HOURS`), and its tokens with it',
    proofs: [
      [
        `${server}/identity/sessions/session.test.ts`,
        'a session expires 30 days after its log-in, however often it is refreshed',
      ],
      [
        `${server}/identity/sessions/session.test.ts`,
        'a shorter session lifetime applies to existing sessions',
      ],
    ],
  },
  {
    threat: 'A tenant learns the user names of another tenant, or takes over a log-in of one',
    defence:
      'User names belong to a tenant; `name@tenant` is looked up first, and a name alone is that of the user who had it first',
    proofs: [
      [
        `${server}/people/user.test.ts`,
        'a user name is unique in its tenant in any case, and does not reveal other tenants',
      ],
      [
        `${server}/identity/tenant-names.test.ts`,
        'the second user of a name is refused without the tenant, like a wrong password or an unknown name',
      ],
      [
        `${server}/identity/tenant-names.test.ts`,
        'a user name cannot imitate the full name of a user of another tenant',
      ],
      [
        `${server}/identity/tenant-names.test.ts`,
        'a tenant cannot take over a name of another one by giving it to an older user',
      ],
    ],
  },
  {
    threat: 'Passwords are guessed, or a user is locked out by guessing',
    defence:
      'Waits by name and network, up to 5 minutes; networks from which the user has logged in are exempt from the count over all networks ([figures](operations.md#guessing-passwords))',
    proofs: [
      [
        `${server}/identity/sessions/login-delay.test.ts`,
        'guesses from another network do not lock a user out',
      ],
      [
        `${server}/identity/sessions/login-delay.test.ts`,
        'an address is delayed for every name, and other addresses are not',
      ],
    ],
  },
];

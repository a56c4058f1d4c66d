import { type SecurityClaim, server } from './security-claim.ts';

/** What keeps strangers from logging in as somebody. */
export const logInClaims: readonly SecurityClaim[] = [
  {
    threat: 'A password is among the first that are tried',
    defence:
      'The 100,000 commonest, also with digits or signs behind them, and the names of user and tenant are refused when a password is set',
    proofs: [
      [
        `${server}/people/user.test.ts`,
        'a password that everybody guesses is refused, whoever sets it, and it is said what to do',
      ],
      [
        `${server}/people/set-up.test.ts`,
        'the first administrator gets no password that everybody guesses, and the code still works',
      ],
    ],
  },
  {
    threat: 'A stolen session is refreshed for ever',
    defence: 'A session ends 30 days after its log-in or earlier (`SESSION_HOURS`), and its tokens with it',
    proofs: [
      [
        `${server}/identity/session.test.ts`,
        'however often it is refreshed, a session ends 30 days after its log-in, as one that has expired',
      ],
      [`${server}/identity/session.test.ts`, 'a shorter life counts for the sessions that there are'],
    ],
  },
  {
    threat: 'A tenant learns which users another has, or takes the log-in of one of them',
    defence:
      'User names belong to a tenant; `name@tenant` comes first, and a name alone is that of the user who had it first',
    proofs: [
      [
        `${server}/people/user.test.ts`,
        'a user name is taken in its tenant, whatever the case, and of other tenants nobody learns',
      ],
      [
        `${server}/identity/tenant-names.test.ts`,
        'whoever has a name second is refused without the tenant like a wrong password and an unknown name',
      ],
      [
        `${server}/identity/tenant-names.test.ts`,
        'nobody takes the written-out name of a user of another tenant',
      ],
      [
        `${server}/identity/tenant-names.test.ts`,
        'no tenant takes a name from the user of another by giving it to an older user',
      ],
    ],
  },
];

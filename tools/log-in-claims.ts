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
];

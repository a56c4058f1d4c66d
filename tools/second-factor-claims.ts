import { type SecurityClaim, server } from './security-claim.ts';

/** Rows of docs/security.md about second factors and confirmations. */
export const secondFactorClaims: readonly SecurityClaim[] = [
  {
    threat: 'Somebody has the password of a user',
    defence:
      'Users add an authenticator app or passkeys, and the tenant requires it of roles, whose sessions can do nothing before ([sign-in.md](sign-in.md))',
    proofs: [
      [
        `${server}/identity/sessions/second-step.test.ts`,
        'a right password of a user with an app asks for the second factor, and opens nothing',
      ],
      [
        `${server}/identity/required-second-factor.test.ts`,
        'a user whose role needs a second factor can do nothing but set one up',
      ],
      [
        'acceptance/scenarios/session-end.test.ts',
        'the hub lets nobody in whose role needs a second factor that is not set up',
      ],
    ],
  },
  {
    threat: 'The second factor is guessed, in parallel and at several servers',
    defence:
      'Wrong codes count for the user over all log-ins and servers; from the fifth on the wait doubles up to 15 minutes ([figures](operations.md#guessing-codes)). A right password alone resets no count',
    proofs: [
      [
        `${server}/identity/sessions/second-step.test.ts`,
        'of 200 parallel guesses of a $kind at two servers, over many steps, five are checked',
      ],
      [
        `${server}/identity/sessions/second-step.test.ts`,
        'a right password does not reset the count of wrong ones before the second factor is right',
      ],
      [
        `${server}/identity/second-factors/code-tries.test.ts`,
        'whoever knows a password needs 9 years on average to guess a code at the highest rate',
      ],
    ],
  },
  {
    threat: 'A code or the proof of a passkey is read and used again',
    defence: 'Each code, recovery code and challenge works once, at all servers together',
    proofs: [
      [`${server}/identity/sessions/second-step.test.ts`, 'the code of the app completes the log-in, once'],
      [`${server}/identity/sessions/second-step.test.ts`, 'a recovery code completes a log-in, once'],
      [`${server}/people/second-factors/passkey.test.ts`, 'a proof is accepted once, also by another server'],
    ],
  },
  {
    threat: 'A false page gets people to sign in, or a security key is copied',
    defence:
      'A passkey is accepted for the host name it was made for and from a page of the server only, with the user verified by the device; a counter that does not rise is refused',
    proofs: [
      [`${server}/people/second-factors/passkey.test.ts`, 'a proof $fault is refused'],
      [
        `${server}/people/second-factors/passkey.test.ts`,
        'a counter that goes back is refused: the device may have been copied',
      ],
      [
        `${server}/people/second-factors/passkey.test.ts`,
        'the passkey of one user does not open the account of another',
      ],
    ],
  },
  {
    threat: 'An administrator gives a user a second factor of their own, to act as them',
    defence: 'Only users set up theirs. Administrators reset, which ends all sessions and is audited',
    proofs: [
      [
        `${server}/people/second-factors/totp.test.ts`,
        'nobody sets up a second factor for somebody else, not even an administrator',
      ],
      [
        `${server}/people/second-factors/totp.test.ts`,
        'an administrator resets the second factors of somebody who has lost them, which ends the sessions',
      ],
    ],
  },
  {
    threat: 'Secrets of second factors are read in the database, a backup or a stored answer',
    defence:
      'Secrets of apps are sealed, recovery codes are hashed, and answers that contain them are not stored',
    proofs: [
      [
        `${server}/people/second-factors/totp.test.ts`,
        'the secret is in the database only under seal, and recovery codes only as hashes',
      ],
      [
        `${server}/people/second-factors/totp.test.ts`,
        'an answer with a secret is not kept for a repetition of the request',
      ],
    ],
  },
  {
    threat: 'Whoever finds a console that is signed in makes an API key, deletes people or adds a passkey',
    defence:
      'Dangerous actions ask for the password or a second factor if the last proof is older than ten minutes; guesses are bounded',
    proofs: [
      [
        `${server}/identity/confirmations/confirmation.test.ts`,
        'a user with a second factor confirms a dangerous action ten minutes after the log-in',
      ],
      [`${server}/identity/confirmations/confirmation.test.ts`, 'these actions are dangerous'],
      [
        `${server}/identity/confirmations/confirmation.test.ts`,
        'guesses at a desk that is signed in are bounded, in parallel and at two servers',
      ],
    ],
  },
  {
    threat: 'A session goes on after it was ended, at another server or on an open connection',
    defence: 'Each server forgets it within five seconds and closes its hub connections',
    proofs: [
      [
        'acceptance/scenarios/session-end.test.ts',
        'when $how, the other server refuses the token and closes the hub connection within five seconds',
      ],
      [
        'acceptance/scenarios/session-end.test.ts',
        'a refresh token that is used by a thief is found out, and ends the session everywhere',
      ],
    ],
  },
];

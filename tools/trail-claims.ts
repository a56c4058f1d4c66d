import { type SecurityClaim, server } from './security-claim.ts';

/** What keeps keys secret, and the record of what was changed. */
export const trailClaims: readonly SecurityClaim[] = [
  {
    threat: 'A dump or a backup of the database forges tokens and answers',
    defence: 'Signing keys and shared secrets are sealed with a key that is not in the database',
    proofs: [
      [
        `${server}/identity/key-rotation.test.ts`,
        'with all rows of the database and without the secrets key nobody can make a token',
      ],
      [`${server}/identity/key-rotation.test.ts`, 'nor can one who puts a key of his own into the database'],
    ],
  },
  {
    threat: 'Somebody changes the keys of the installation, and nobody knows',
    defence: '`rotate-keys` and `reseal` are told in the trail of every tenant, or do nothing',
    proofs: [
      [
        `${server}/change-keys.test.ts`,
        'the trail of every tenant tells of a rotation and a reseal, and of no secret',
      ],
      [
        `${server}/change-keys.test.ts`,
        'keys that the trail cannot tell of are not rotated, nor sealed anew',
      ],
    ],
  },
  {
    threat: 'A signing key is known to somebody else',
    defence:
      '`rotate-keys`; a deleted key is dead on every server within 30 seconds, and nobody else is refused',
    proofs: [
      [
        `${server}/identity/key-rotation.test.ts`,
        'a signing key that is deleted is dead on every server within thirty seconds',
      ],
      [
        `${server}/identity/key-rotation.test.ts`,
        'nobody is refused while keys are rotated again and again, and the first key is gone in the end',
      ],
    ],
  },
  {
    threat: 'Somebody denies what they changed, or changes the record of it',
    defence:
      'An audit trail in the transaction of each change, chained by hashes, with signed heads published outside',
    proofs: [
      [
        `${server}/http/audit-matrix.test.ts`,
        'each route that changes something says what it leaves behind, and it is this',
      ],
      [
        `${server}/audit/verify-trail.property.test.ts`,
        'an older copy with a head that was genuine then is found by the heads published since',
      ],
      [
        `${server}/verify-audit.test.ts`,
        'heads that a former key has signed are good with both keys, and with one of them the other is missed',
      ],
      [`${server}/audit/audit.store.test.ts`, 'the server cannot: %s'],
    ],
  },
  {
    threat: 'An API key with the name of an operator takes or masks alarms in his name',
    defence: 'The journal keeps who acted by kind and number; timelines tell it as `actorId`',
    proofs: [
      [
        `${server}/dispatch/timeline-actor.test.ts`,
        'a key that is called as an operator is told apart in the timeline, and the names stay as they are',
      ],
    ],
  },
];

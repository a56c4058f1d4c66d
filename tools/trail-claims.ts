import { type SecurityClaim, server } from './security-claim.ts';

/** Rows of docs/security.md about keys and the audit trail. */
export const trailClaims: readonly SecurityClaim[] = [
  {
    threat: 'A dump or a backup of the database is used to forge tokens and answers',
    defence: 'Signing keys and shared secrets are encrypted with a key that is not in the database',
    proofs: [
      [
        `${server}/identity/tokens/key-rotation.test.ts`,
        'a dump of the database without the secrets key cannot forge a token',
      ],
      [
        `${server}/identity/tokens/key-rotation.test.ts`,
        'a key that was inserted into the database cannot sign tokens',
      ],
    ],
  },
  {
    threat: 'The keys of the installation are changed without a trace',
    defence: '`rotate-keys` and `reseal` write to the audit trail of every tenant, or do nothing',
    proofs: [
      [
        `${server}/setup/change-keys.test.ts`,
        'the trail of every tenant records a rotation and a reseal, and no secret',
      ],
      [
        `${server}/setup/change-keys.test.ts`,
        'keys are neither rotated nor resealed if the trail cannot record it',
      ],
    ],
  },
  {
    threat: 'An attacker knows a signing key',
    defence:
      '`rotate-keys`; a deleted key is invalid on every server within 30 seconds, and no other tokens are refused',
    proofs: [
      [
        `${server}/identity/tokens/key-rotation.test.ts`,
        'a deleted signing key is rejected on every server within thirty seconds',
      ],
      [
        `${server}/identity/tokens/key-rotation.test.ts`,
        'no client is refused while keys are rotated repeatedly, and the first key is deleted in the end',
      ],
    ],
  },
  {
    threat: 'A user denies a change, or manipulates its record',
    defence:
      'An audit trail in the transaction of each change, chained by hashes, with signed heads published outside the database',
    proofs: [
      [
        `${server}/http/audit-matrix.test.ts`,
        'each route that changes something has the expected audit rule',
      ],
      [
        `${server}/audit/verify-trail.property.test.ts`,
        'an older copy with its genuine head is found by the heads published later',
      ],
      [
        `${server}/setup/verify-audit.test.ts`,
        'heads of a former key are valid with both keys, and one key alone is not enough',
      ],
      [
        `${server}/http/audit-verification.test.ts`,
        'a change whose hashes were calculated anew is found by the signed head',
      ],
      [`${server}/audit/audit.store.test.ts`, 'the server cannot: %s'],
    ],
  },
  {
    threat: 'An API key with the name of an operator acknowledges or masks alarms in their name',
    defence: 'The journal stores the kind and number of the actor; timelines show it as `actorId`',
    proofs: [
      [
        `${server}/dispatch/views/timeline-actor.test.ts`,
        'the timeline distinguishes a key from an operator of the same name',
      ],
    ],
  },
];

import { type SecurityClaim, server } from './security-claim.ts';

/** Rows of docs/security.md about delivery and the reporting of vulnerabilities. */
export const supplyClaims: readonly SecurityClaim[] = [
  {
    threat: 'A finder of a vulnerability has no contact, and publishes it',
    defence: '`/.well-known/security.txt` names the contact of the operator, if `SECURITY_CONTACT` is set',
    proofs: [
      [
        `${server}/http/server/security-txt.test.ts`,
        'security.txt is readable without a token, at the root and under the prefix',
      ],
    ],
  },
  {
    threat: 'An attacker breaks into a container and continues from there',
    defence:
      'No root, no capabilities and no way to gain any, a read-only file system, images named by digest ([containers](operations.md#containers))',
    proofs: [
      ['tools/containers.test.ts', 'the service %s has no root, no capability and nothing to write to'],
      ['tools/containers.test.ts', 'every image is named by digest, or set at build time'],
    ],
  },
  {
    threat: 'A dependency is replaced during installation, or runs code when it is installed',
    defence: 'Production installs verify packages by hash, and run no install scripts',
    proofs: [
      ['tools/containers.test.ts', 'every package of a production install is known by its hash'],
      [
        'tools/containers.test.ts',
        'the image installs what the lock file names, for production, without install scripts',
      ],
    ],
  },
];

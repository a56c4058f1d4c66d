import { type SecurityClaim, server } from './security-claim.ts';

/** How the server is delivered, and whom to tell of its weaknesses. */
export const supplyClaims: readonly SecurityClaim[] = [
  {
    threat: 'Whoever finds a weakness does not know whom to tell, and tells everybody',
    defence: '`/.well-known/security.txt` names who runs the server, once `SECURITY_CONTACT` is set',
    proofs: [
      [
        `${server}/http/security-txt.test.ts`,
        'whoever has found a weakness reads where to report it, without a token, at the root and under the prefix',
      ],
    ],
  },
  {
    threat: 'Whoever breaks into a container goes on from there',
    defence:
      'No root, no capabilities and no way to gain them, a read-only file system, images named by digest ([containers](operations.md#containers))',
    proofs: [
      ['tools/containers.test.ts', 'the service %s has no root, no capability and nothing to write to'],
      ['tools/containers.test.ts', 'every image is named by digest, or by whoever builds'],
    ],
  },
  {
    threat: 'A dependency is exchanged on its way, or runs code when it is installed',
    defence: 'Production installs take packages by hash, and run no install script',
    proofs: [
      ['tools/containers.test.ts', 'every package of a production install is known by its hash'],
      [
        'tools/containers.test.ts',
        'the image installs what the lock file names, for production, without install scripts',
      ],
    ],
  },
];

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
    threat: 'A vulnerable package is delivered, and nobody knows that it is inside',
    defence: '`sbom.cdx.json` lists every package of server, console and image, no more and no less',
    proofs: [
      ['tools/sbom/sbom.test.ts', 'the bill lists exactly the packages that npm installs for production'],
      [
        'tools/sbom/sbom.test.ts',
        'the bill lists exactly the packages whose code the built console contains',
      ],
    ],
  },
  {
    threat: 'Data of a customer who has left remains somewhere',
    defence:
      '`tenant-delete` deletes every row of every table; servers forget the tenant within 5 seconds; a record of the deletion remains',
    proofs: [
      [
        'acceptance/scenarios/tenants.test.ts',
        'after a deletion nothing of the tenant is left but the record of it, and the others keep their rows',
      ],
      [
        'acceptance/scenarios/tenants.test.ts',
        'servers forget a tenant that is deleted within 5 s: its keys are refused, its hub clients closed',
      ],
      [
        `${server}/setup/tenants/tenant-catalog.test.ts`,
        'a new table is exported and deleted without a change of the code',
      ],
    ],
  },
  {
    threat: 'An export of a tenant reveals the passwords of its providers, or keys of the installation',
    defence:
      'Secrets are left out, or sealed with a passphrase; keys of the installation are in no table of a tenant',
    proofs: [
      ['acceptance/scenarios/tenants.test.ts', 'without a passphrase the secrets of channels are left out'],
      [
        `${server}/setup/tenants/tenant-catalog.test.ts`,
        'every column of bytes is known to be sealed or plain',
      ],
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

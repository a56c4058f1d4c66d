import { server } from '../security-claim.ts';
import { met, notMet, type Requirement } from './requirement.ts';

const box = `${server}/common/secret-box.test.ts`;
const password = `${server}/identity/sessions/password.test.ts`;
const tls = `${server}/tls.test.ts`;
const certificate = `${server}/http/server/server-tls.test.ts`;
const trail = `${server}/audit/verify-trail.property.test.ts`;
const proxy = 'TLS is on if the operator configures it, in the server or in a proxy';

/** Chapters 11 and 12: cryptography, communication. */
export const cryptographyRequirements: readonly Requirement[] = [
  notMet(
    ['11.1.1', 2, 'Management of keys is documented'],
    '[Secrets](operations.md#secrets) and [key-compromise.md](key-compromise.md) describe keys, change and loss, without reference to a standard',
  ),
  notMet(
    ['11.1.2', 2, 'There is an inventory of keys and algorithms'],
    '[key-compromise.md](key-compromise.md) lists the keys; no test compares the list with the code',
  ),
  notMet(
    ['11.2.1', 2, 'Known implementations are used'],
    'OpenSSL through Node.js, and jose; no test shows that there is nothing else',
  ),
  met(
    ['11.2.2', 2, 'Keys and algorithms can be exchanged'],
    'All keys, while servers run; hashes of passwords state their parameters',
    [
      `${server}/identity/tokens/key-rotation.test.ts`,
      'no client is refused while keys are rotated repeatedly, and the first key is deleted in the end',
    ],
    [password, 'a hash made with another cost, elsewhere, is still understood'],
  ),
  met(
    ['11.2.3', 2, 'At least 128 bits of security'],
    'AES-256, Ed25519, SHA-256; weak certificates are refused',
    [certificate, '%s is refused although OpenSSL would accept it'],
  ),
  met(['11.3.1', 1, 'No weak modes'], 'AES-256-GCM only', [
    box,
    'a secret with any changed byte does not open',
  ]),
  met(['11.3.2', 1, 'Approved ciphers only'], 'AES-256-GCM', [
    box,
    'a sealed secret opens in its place, and does not show its text',
  ]),
  met(['11.3.3', 2, 'Encrypted data is authenticated'], 'GCM, bound to its place', [
    box,
    'a secret that was copied to another channel or tenant does not open',
  ]),
  notMet(
    ['11.4.1', 1, 'Approved hashes only'],
    'SHA-256 and SHA-512. SIP digests use MD5 where a telephone system asks for it, and web sockets SHA-1 as their standard demands',
  ),
  met(['11.4.2', 2, 'Passwords are hashed slowly'], 'Argon2id', [
    password,
    'a password is stored as Argon2id with its cost, salt and hash written out',
  ]),
  met(['11.4.3', 2, 'Hashes of signatures are strong'], 'SHA-256 chains the audit trail', [
    trail,
    'a complete trail has no faults, also after it was written and read again',
  ]),
  met(['11.4.4', 2, 'Keys from passwords are stretched'], 'scrypt with 128 MB, for exports of tenants', [
    'acceptance/scenarios/tenants.test.ts',
    'a tenant moves to another installation with all its rows, under another number',
  ]),
  notMet(
    ['11.5.1', 2, 'Secrets are random, with 128 bits'],
    'Tokens and keys have 256 bits; codes that people type have fewer, and limited tries',
  ),
  met(['11.6.1', 2, 'Keys are generated safely'], 'Ed25519 by Node.js', [
    `${server}/identity/tokens/signing-keys.test.ts`,
    'two servers that start together on an empty database create one key',
  ]),
  met(['12.1.1', 1, 'TLS 1.2 and 1.3 only'], 'Older versions are refused', [
    tls,
    'a running server accepts TLS 1.2 and 1.3, and neither older versions nor plain HTTP',
  ]),
  notMet(
    ['12.1.2', 2, 'Recommended cipher suites only'],
    'Those of Node.js; no list of our own, and no test',
  ),
  met(['12.1.3', 2, 'Client certificates are verified'], 'Against the configured CA', [
    tls,
    'if clients need a certificate, those without one or of another CA are refused',
  ]),
  notMet(
    ['12.2.1', 1, 'Clients always use TLS'],
    `${proxy}; without it the server listens on this machine only`,
  ),
  notMet(['12.2.2', 1, 'Certificates are publicly trusted'], 'The certificate is the choice of the operator'),
  notMet(
    ['12.3.1', 2, 'Every connection is encrypted'],
    'PostgreSQL, NATS, SMPP and SIP can be used without TLS inside a plant; [hardening.md](hardening.md) names the settings',
  ),
  met(
    ['12.3.2', 2, 'Certificates of others are verified'],
    'For mail, providers, syslog, SMPP and push',
    [
      `${server}/audit/publish-heads.test.ts`,
      'a syslog server whose certificate is not trusted receives nothing',
    ],
    [
      `${server}/channels/push/web-push.channel.test.ts`,
      'a push service without a trusted certificate, or inside the machine, gets nothing',
    ],
  ),
  notMet(
    ['12.3.3', 2, 'Servers use TLS between each other'],
    'If they have certificates; on one machine they may use HTTP',
  ),
  met(['12.3.4', 2, 'Servers trust specific CAs'], '`NODE_CA_FILE`', [
    tls,
    'servers with certificates forward requests to each other, and a foreign certificate is refused',
  ]),
];

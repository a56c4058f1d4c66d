import { channelClaims } from './channel-claims.ts';
import { deskClaims } from './desk-claims.ts';
import { logInClaims } from './log-in-claims.ts';
import { outsideClaims } from './outside-claims.ts';
import { secondFactorClaims } from './second-factor-claims.ts';
import { type SecurityClaim, server } from './security-claim.ts';
import { supplyClaims } from './supply-claims.ts';
import { trailClaims } from './trail-claims.ts';

/** The source of docs/security.md. Add a row here for each new defence; every row needs a test. */
export const securityClaims: readonly SecurityClaim[] = [
  {
    threat: 'A sensor key silences, redirects, delays or resets the alarm of another source',
    defence:
      'Only `alarms:define` changes a known tag. Members that the sender may not change are ignored and listed in the timeline, and the alarm is raised anyway',
    proofs: [
      [`${server}/alarms/raise-only-key.test.ts`, 'a key that may only raise does not get far by %s'],
      [`${server}/alarms/raise-only-key.test.ts`, 'an alarm that comes with %s is raised all the same'],
    ],
  },
  {
    threat: 'A stolen machine key raises alarms all over the plant',
    defence: 'A key can be bound to data servers and path prefixes',
    proofs: [
      [
        `${server}/identity/api-keys/api-key-owner.test.ts`,
        'a key that is bound to data servers and paths cannot create keys without the binding',
      ],
    ],
  },
  {
    threat: 'A key uses a guessable path before the real source does, and defines an alarm that calls nobody',
    defence:
      'A key that is bound to the place, or an engineer, takes over a definition by a key that is not; the timeline records the former author',
    proofs: [
      [
        `${server}/alarms/squatted-tag.test.ts`,
        'a key that used a path first does not keep it from the source that is bound to it',
      ],
      [
        `${server}/alarms/squatted-tag.test.ts`,
        'the timeline shows that a definition was taken over, its former owner and its old values',
      ],
      [
        `${server}/alarms/squatted-tag.test.ts`,
        'the definition of an engineer stays, and the key that was first still raises and resets',
      ],
    ],
  },
  {
    threat: 'The key of a sensor is used to call people with any text',
    defence: 'The role `machine` calls people only through alarms, whose timeline names the key',
    proofs: [
      [
        `${server}/calls/call-users.test.ts`,
        'viewers, auditors and machines may not call, machines may not read who was called',
      ],
    ],
  },
  {
    threat: 'The address of a calendar gets into wrong hands',
    defence:
      'Its secret opens one calendar and nothing else, is stored as a hash, is not logged, can be revoked, and ends with the account of its owner',
    proofs: [
      [
        'acceptance/scenarios/calendar-feed.test.ts',
        'the secret opens one calendar, only its hash is kept, and it can be revoked',
      ],
      [
        'acceptance/scenarios/calendar-feed.test.ts',
        'a calendar ends with the account of its owner, and nobody revokes that of another',
      ],
    ],
  },
  {
    threat: 'A key outlives the person who created it',
    defence:
      'Keys have an owner and by default expire after a year; those of a deleted user are invalid within 5 seconds',
    proofs: [
      [
        `${server}/identity/api-keys/api-key-owner.test.ts`,
        'a key expires after a year, unless it was requested without expiry',
      ],
      [
        `${server}/identity/api-keys/api-key-owner.test.ts`,
        'the keys of a deleted user, and the keys made with them, are rejected within five seconds',
      ],
    ],
  },
  {
    threat: 'A user does what their role or station does not allow',
    defence: 'One permission per route, one table of roles, stations checked on every row',
    proofs: [[`${server}/http/permission-matrix.test.ts`, 'the matrix covers all routes of the server']],
  },
  {
    threat: 'A user reaches a row of another station or tenant by referring to it',
    defence:
      'Rows that the caller may not see are treated as if they did not exist, in every member that refers to a row',
    proofs: [
      [
        `${server}/http/reference-matrix.test.ts`,
        'the matrix is of all routes, roles, tenants and stations, and large',
      ],
      [
        `${server}/http/reference-matrix.test.ts`,
        'every number or file that a request may name something with is marked in the contract',
      ],
      [
        `${server}/hub/subscriptions/filter-visibility.test.ts`,
        'a filter for an object that the client may not see matches no alarm, like one for an object that does not exist',
      ],
    ],
  },
  {
    threat: 'A query forgets the tenant',
    defence: 'Forced row-level security for every tenant table',
    proofs: [
      [
        `${server}/postgres/row-level-security.test.ts`,
        'every table of a tenant has forced row-level security and the policy of its tenant',
      ],
      [
        `${server}/postgres/row-level-security.test.ts`,
        'with a tenant the server sees the rows of that tenant only',
      ],
    ],
  },
  {
    threat: 'An alarm of one station runs a program of another',
    defence:
      'Using the commands of a scenario requires `commands:run`; entries of the list of programs can be limited to stations',
    proofs: [
      [
        `${server}/commands/command-grants.test.ts`,
        'a command of the list that is limited to stations does not exist for others',
      ],
      [
        `${server}/commands/command-grants.test.ts`,
        'a user without the right to run commands cannot give a tag group a scenario with commands',
      ],
    ],
  },
  {
    threat: 'An absent member in a request extends rights: it enables a user or grants all stations',
    defence: 'An absent member keeps its value; all stations must be requested explicitly',
    proofs: [
      [
        `${server}/people/user.test.ts`,
        'a change keeps the members that it omits: enabled, role and stations',
      ],
    ],
  },
  {
    threat: 'An attacker on the message bus reads alarms, forges them or suppresses them',
    defence:
      'NATS carries only signed numbers, and every server reads the journal; NATS on another machine needs credentials',
    proofs: [
      [
        'acceptance/scenarios/hub-intruder.test.ts',
        'an intruder on NATS learns of no alarm, forges none, and keeps nobody from a real one',
      ],
      [
        'acceptance/scenarios/hub-intruder.test.ts',
        'a server does not start with a NATS elsewhere that asks for no credentials',
      ],
    ],
  },
  {
    threat: 'An attacker on the network reads or changes traffic, or impersonates a client or a server',
    defence:
      'TLS 1.2 or later with certificates that are reloaded, client certificates for devices and between servers; by default the server listens on the loopback interface only',
    proofs: [
      [
        `${server}/tls.test.ts`,
        'if clients need a certificate, those without one or of another CA are refused',
      ],
      [
        `${server}/tls.test.ts`,
        'servers with certificates forward requests to each other, and a foreign certificate is refused',
      ],
      [
        `${server}/tls.test.ts`,
        'a new certificate is used without dropping connections, and a broken one is not used',
      ],
      ['acceptance/scenarios/tls-neighbours.test.ts', 'the certificate of PostgreSQL is verified'],
    ],
  },
  {
    threat: 'A client sends frames that crash or stall the hub',
    defence: 'Limits on size, depth and rate; a client can end only its own connection',
    proofs: [
      [
        'acceptance/scenarios/hub-under-attack.test.ts',
        'whatever a client sends, the server lives, keeps nothing of it, and its neighbour hears every alarm in time',
      ],
    ],
  },
  {
    threat: 'A trusted issuer logs in as a user of another tenant, or by a claim that users edit',
    defence:
      'An issuer belongs to one tenant; users are linked by issuer and subject; ID tokens and old tokens are refused',
    proofs: [
      [
        `${server}/identity/tokens/oidc.test.ts`,
        'an issuer can authenticate only linked users of its own tenant',
      ],
      [`${server}/identity/tokens/oidc.test.ts`, 'a token with a lifetime of a year is rejected after a day'],
      [
        `${server}/identity/audit-oidc-user.test.ts`,
        'an OIDC user is in the audit trail under issuer and subject, and is found by them',
      ],
    ],
  },
  {
    threat: 'An injected statement runs commands as the superuser of the database',
    defence: 'The server does not start as a superuser or as a role that bypasses row-level security',
    proofs: [
      [
        `${server}/postgres/self-check.test.ts`,
        'a login as a superuser, or as a role that bypasses row-level security, is refused',
      ],
      [
        `${server}/setup/open-runtime.test.ts`,
        'one role migrates and another serves; neither is a superuser, and the server cannot change the tables',
      ],
    ],
  },
  ...logInClaims,
  ...deskClaims,
  ...secondFactorClaims,
  ...outsideClaims,
  ...trailClaims,
  {
    threat: 'Text of the interface runs as a script in the page at `/docs`',
    defence:
      'The content security policy of the page allows only scripts and styles from this server, and no inline ones',
    proofs: [
      [
        `${server}/http/openapi/openapi.test.ts`,
        'the reference page has no inline script and no inline style',
      ],
    ],
  },
  {
    threat: 'The code for the first administrator is guessed',
    defence:
      'Five wrong tries invalidate it, on all servers together; only its hash is stored ([figures](operations.md#guessing-codes))',
    proofs: [
      [
        `${server}/guess-codes.test.ts`,
        'of 400 guesses of a set-up code 5 are checked, however many servers there are',
      ],
      [
        `${server}/people/set-up.test.ts`,
        'five wrong tries invalidate the code, even all at once; a new start creates a new one',
      ],
    ],
  },
  ...channelClaims,
  {
    threat: 'Invented keys overload the database',
    defence: 'The first request of a key at a server is charged to its network before the key is looked up',
    proofs: [
      [`${server}/identity/invented-keys.test.ts`, 'invented keys are refused without a database read each'],
      [
        `${server}/hub/access/invented-keys.test.ts`,
        'invented keys at %s are refused without a database read each',
      ],
    ],
  },
  {
    threat: 'Waiting requests block the server',
    defence: 'At most 200 requests of a tenant wait, and share their queries; others are answered at once',
    proofs: [
      [`${server}/calls/await-outcome.test.ts`, 'a hundred waiting clients need as many queries as one'],
      [
        `${server}/calls/await-outcome.test.ts`,
        '200 clients of a tenant may wait; further ones get the answer that the call is stored',
      ],
    ],
  },
  {
    threat: 'The current history is dropped with the rights of the server',
    defence: 'The database always keeps the current and the previous month',
    proofs: [[`${server}/upkeep/drop-old-months.test.ts`, 'the server cannot drop a month']],
  },
  ...supplyClaims,
];

import { channelClaims } from './channel-claims.ts';
import { logInClaims } from './log-in-claims.ts';
import { type SecurityClaim, server } from './security-claim.ts';
import { supplyClaims } from './supply-claims.ts';
import { trailClaims } from './trail-claims.ts';

/** The list that docs/security.md is written from. A new defence gets a row here; a row without a test cannot be written. */
export const securityClaims: readonly SecurityClaim[] = [
  {
    threat: 'A sensor key silences, redirects, delays or resets the alarm of another source',
    defence:
      'Only `alarms:define` changes a known tag. Other members are left as they are, noted in the timeline, and the alarm is raised all the same',
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
        `${server}/identity/api-key-owner.test.ts`,
        'a key is bound to data servers and paths, and makes no keys that are not',
      ],
    ],
  },
  {
    threat:
      'A key takes a path that can be guessed before its true source comes, and defines an alarm that calls nobody',
    defence:
      'A definition by a key that is bound to no place yields to a key that is, and to an engineer; the timeline tells whose it was',
    proofs: [
      [
        `${server}/alarms/squatted-tag.test.ts`,
        'whoever was first at a path does not keep it from the source that is bound there',
      ],
      [
        `${server}/alarms/squatted-tag.test.ts`,
        'that a definition was taken over is told, with whose it was and what it said',
      ],
      [
        `${server}/alarms/squatted-tag.test.ts`,
        'what an engineer has defined stays so, and the key that was first goes on to raise and reset',
      ],
    ],
  },
  {
    threat: 'The key of a sensor calls anybody with any text',
    defence: 'The role `machine` calls people only by alarms, which have a timeline that names the key',
    proofs: [
      [
        `${server}/calls/call-users.test.ts`,
        'viewers, auditors and machines may not call, machines may not read who was called',
      ],
    ],
  },
  {
    threat: 'A key outlives the person who made it',
    defence: 'Keys have an owner and expire after a year; those of a deleted user are dead within 5 seconds',
    proofs: [
      [
        `${server}/identity/api-key-owner.test.ts`,
        'a key ends after a year, unless it was asked to live for ever',
      ],
      [
        `${server}/identity/api-key-owner.test.ts`,
        'the keys of a deleted user are out within five seconds, and those that they have made',
      ],
    ],
  },
  {
    threat: 'A user does what their role or station does not allow',
    defence: 'One permission per route, one table of roles, stations checked on every row',
    proofs: [
      [`${server}/http/permission-matrix.test.ts`, 'the matrix is of all routes of the server, and large'],
    ],
  },
  {
    threat: 'A user reaches a row of another station or tenant by naming it',
    defence:
      'What the caller may not see is treated as if it did not exist, in every member that names something',
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
        `${server}/hub/filter-visibility.test.ts`,
        'a filter that names what its client may not see hears as much as one that names nothing real',
      ],
    ],
  },
  {
    threat: 'A query forgets the tenant',
    defence: 'Row-level security, forced, for every table of a tenant',
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
      'Naming a scenario with commands needs `commands:run`; entries of the list of programs carry stations',
    proofs: [
      [
        `${server}/commands/command-grants.test.ts`,
        'an entry of the list that is for some stations is not there for the others',
      ],
      [
        `${server}/commands/command-grants.test.ts`,
        'whoever may not run commands gives a tag group no scenario with one',
      ],
    ],
  },
  {
    threat: 'Silence in a request widens rights: an absent member enables a user or gives all stations',
    defence: 'A member that is left out keeps its value; all stations must be asked for',
    proofs: [
      [
        `${server}/people/user.test.ts`,
        'a change that leaves members out keeps them: nobody is enabled, promoted or widened by silence',
      ],
    ],
  },
  {
    threat: 'Somebody on the message bus reads alarms, forges them or keeps clients from hearing them',
    defence:
      'NATS carries signed numbers only, and every server reads the journal; remote NATS needs credentials',
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
    threat: 'Somebody on the network reads, changes or passes for a client or a server',
    defence:
      'TLS 1.2 or later with certificates that are reloaded, client certificates for devices and between servers, loopback unless `HOST` says otherwise',
    proofs: [
      [
        `${server}/tls.test.ts`,
        'where clients need a certificate, those without one or with that of another CA are refused',
      ],
      [
        `${server}/tls.test.ts`,
        'servers pass requests on to each other by their certificates, and one with a foreign certificate gets nothing',
      ],
      [
        `${server}/tls.test.ts`,
        'a new certificate is taken up without a dropped connection, and one that is broken is not',
      ],
      ['acceptance/scenarios/tls-neighbours.test.ts', 'the certificate of PostgreSQL is verified'],
    ],
  },
  {
    threat: 'A client sends frames that crash or stall the hub',
    defence: 'Limits on size, depth and rate; nothing a client sends ends more than its own connection',
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
        `${server}/identity/oidc.test.ts`,
        'an issuer speaks for users of its own tenant who are linked to it, and for nobody else',
      ],
      [`${server}/identity/oidc.test.ts`, 'a token that is good for a year ends here after a day'],
      [
        `${server}/identity/audit-outsider.test.ts`,
        'who comes in by an outside issuer is in the trail as what the issuer calls him, and is found by it',
      ],
    ],
  },
  {
    threat: 'An injected statement runs commands as the superuser of the database',
    defence: 'The server refuses to start as a superuser or one who passes row-level security',
    proofs: [
      [
        `${server}/postgres/self-check.test.ts`,
        'who logs in as a superuser, or as one who passes row-level security, is refused',
      ],
      [
        `${server}/open-runtime.test.ts`,
        'one role migrates and another serves; neither is a superuser, and the server cannot touch the tables',
      ],
    ],
  },
  ...logInClaims,
  ...trailClaims,
  {
    threat: 'Passwords are guessed, or a user is locked out by guessing',
    defence:
      'Waits by name and network, up to 5 minutes; the own network of a user is spared ([figures](operations.md#guessing-passwords))',
    proofs: [
      [`${server}/identity/login-delay.test.ts`, 'whoever guesses from elsewhere does not lock a user out'],
      [
        `${server}/identity/login-delay.test.ts`,
        'the address waits whatever name it tries next, and other addresses do not',
      ],
    ],
  },
  {
    threat: 'Text of the interface runs as a script in the page at `/docs`',
    defence:
      'The policy of the page allows scripts and styles from this server only, and none that stand in it',
    proofs: [
      [
        `${server}/http/openapi.test.ts`,
        'the reference page runs no script and applies no style that stands in a page',
      ],
    ],
  },
  {
    threat: 'The code for the first administrator is guessed',
    defence:
      'Five wrong tries end it, at all servers together; only its hash is kept ([figures](operations.md#guessing-codes))',
    proofs: [
      [
        `${server}/guess-codes.test.ts`,
        'of 400 guesses at a set-up code 5 are looked at, at however many servers',
      ],
      [
        `${server}/people/set-up.test.ts`,
        'five wrong tries burn the code, even all at once; a new start makes a new one',
      ],
    ],
  },
  ...channelClaims,
  {
    threat: 'Made-up keys wear the database out',
    defence: 'A key that is not known to be good is charged to its network before it is looked up',
    proofs: [
      [`${server}/identity/made-up-keys.test.ts`, 'made-up keys are refused before they cost a look-up each'],
      [
        `${server}/hub/made-up-keys.test.ts`,
        'made-up keys at %s are refused before they cost a look-up each',
      ],
    ],
  },
  {
    threat: 'Requests that wait hold the server up',
    defence: 'Of each tenant 200 wait, and look together; others are answered at once',
    proofs: [
      [`${server}/calls/await-outcome.test.ts`, 'a hundred who wait ask the database as often as one does'],
      [
        `${server}/calls/await-outcome.test.ts`,
        'of a tenant 200 wait; whoever comes then hears at once that the call is stored',
      ],
    ],
  },
  {
    threat: 'The current history is dropped through the rights of the server',
    defence: 'The database keeps this month and the one before, whatever the server asks for',
    proofs: [[`${server}/history/retention.test.ts`, 'the server cannot drop a month']],
  },
  ...supplyClaims,
];

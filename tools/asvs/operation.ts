import { server } from '../security-claim.ts';
import { met, notApplicable, notMet, type Requirement } from './requirement.ts';

const selfCheck = `${server}/postgres/self-check.test.ts`;
const changeKeys = `${server}/setup/change-keys.test.ts`;
const containers = 'tools/containers.test.ts';
const conformance = 'acceptance/scenarios/conformance/errors-and-limits.test.ts';
const sbom = 'tools/sbom/sbom.test.ts';
const log = `${server}/common/log.test.ts`;
const trail = `${server}/http/audit-trail.test.ts`;
const logIn = `${server}/identity/sessions/audit-log-in.test.ts`;
const outage = 'acceptance/scenarios/database-loss.test.ts';
const noWebRtc = 'There is no WebRTC: telephone calls use SIP';

/** Chapters 13 to 17: configuration, data protection, architecture, logging, WebRTC. */
export const operationRequirements: readonly Requirement[] = [
  notMet(
    ['13.1.1', 2, 'All connections are documented'],
    '[hardening.md](hardening.md#network) lists them; no test compares the list with the code',
  ),
  notMet(
    ['13.2.1', 2, 'Components authenticate each other, without lasting passwords'],
    'PostgreSQL and NATS are reached with passwords or certificates, as the operator chooses',
  ),
  met(
    ['13.2.2', 2, 'Components have the least rights'],
    'The server logs in as a role that owns nothing, and refuses to run as more',
    [selfCheck, 'a login as a superuser, or as a role that bypasses row-level security, is refused'],
  ),
  met(
    ['13.2.3', 2, 'No default credentials'],
    'Passwords of roles are generated; a bus without credentials is refused',
    [
      'acceptance/scenarios/hub-intruder.test.ts',
      'a server does not start with a NATS elsewhere that asks for no credentials',
    ],
  ),
  met(['13.2.4', 2, 'Outside systems are listed'], 'Private addresses must be allowed by the operator', [
    `${server}/channels/network/egress.test.ts`,
    'an invalid range stops the server instead of allowing something',
  ]),
  notMet(
    ['13.2.5', 2, 'The server reaches listed systems only'],
    'Public addresses are not limited by the server: use a firewall',
  ),
  met(
    ['13.3.1', 2, 'Secrets are managed'],
    'Read from files, encrypted in the database, exchanged by commands; not in sources',
    [changeKeys, 'the trail of every tenant records a rotation and a reseal, and no secret'],
  ),
  met(['13.3.2', 2, 'Access to secrets is least'], 'Key files are readable by the server only', [
    `${server}/setup/open-secret-box.test.ts`,
    'a server without a secrets key creates one that only it can read, and finds it again',
  ]),
  met(
    ['13.4.1', 1, 'No metadata of source control is delivered'],
    'The image copies packages only; the server serves no folder',
    [
      `${server}/http/console/console.test.ts`,
      'other paths are problems: no file outside the console is read',
    ],
  ),
  notMet(
    ['13.4.2', 2, 'Debug modes are off'],
    'There is no debug mode besides `LOG_LEVEL`; no test shows it',
  ),
  met(['13.4.3', 2, 'No listings of folders'], 'Files are served from a list', [
    `${server}/http/console/console.test.ts`,
    'other paths are problems: no file outside the console is read',
  ]),
  notMet(['13.4.4', 2, 'TRACE is not supported'], 'No route has the method; no test tries it'),
  met(
    ['13.4.5', 2, 'Documentation and metrics are exposed on purpose only'],
    'Metrics are on a port of their own, on this machine by default; the description of the interface is public on purpose',
    [
      `${server}/http/server/metrics.test.ts`,
      'the admin port reports the duration of each route, the pool and the process',
    ],
  ),
  notMet(['14.1.1', 2, 'Sensitive data is classified'], 'There is no classification'),
  notMet(['14.1.2', 2, 'Each class has documented protection'], 'There is no classification'),
  notMet(
    ['14.2.1', 1, 'No secrets in addresses'],
    'Calendars and links of calls have a secret in their address, because other programs open them; hub clients may send the token in the query, as their protocol demands. Queries are not logged',
  ),
  met(
    ['14.2.2', 2, 'Caches do not keep sensitive data'],
    'Answers are marked no-store; caches in memory are short-lived',
    [conformance, '§8 an answer is never to be kept by anyone on the way'],
  ),
  met(['14.2.3', 2, 'No data for trackers'], 'The console loads nothing from elsewhere', [
    `${server}/http/openapi/openapi.test.ts`,
    'the reference page loads nothing from outside',
  ]),
  notMet(['14.2.4', 2, 'Protection follows the class of the data'], 'There is no classification'),
  notMet(
    ['14.3.1', 1, 'Data is removed from the browser at the end'],
    'The session ends and lists are dropped; the telephone page keeps the last list for use without a network until another person signs in',
  ),
  met(['14.3.2', 2, 'Browsers do not keep answers'], 'no-store', [
    conformance,
    '§8 an answer is never to be kept by anyone on the way',
  ]),
  notMet(
    ['14.3.3', 2, 'Browser storage has nothing sensitive'],
    'Settings of the desk, and on telephones the last list of alarms for use without a network',
  ),
  met(
    ['15.1.1', 1, 'Times for updates of components are documented'],
    '[SECURITY.md](../SECURITY.md#support) states them',
    ['tools/support-page.test.ts', 'SECURITY.md states times for reports, fixes and components'],
  ),
  met(
    ['15.1.2', 2, 'There is a bill of materials'],
    '`sbom.cdx.json`, CycloneDX 1.6, compared with what is installed and built',
    [sbom, 'the bill lists exactly the packages that npm installs for production'],
    [sbom, 'the bill lists exactly the packages whose code the built console contains'],
  ),
  notMet(
    ['15.1.3', 2, 'Expensive functions are documented'],
    '[scale.md](scale.md) has figures of the main ones, not of all',
  ),
  notMet(
    ['15.2.1', 1, 'No component is older than the documented times allow'],
    'There is no regular check yet: nothing is released',
  ),
  met(
    ['15.2.2', 2, 'Expensive functions cannot stop the server'],
    'Statements have timeouts; log-ins, waits and connections have limits',
    [
      `${server}/postgres/statement-timeout.test.ts`,
      'a slow statement is cancelled when the client has given up, and upkeep may take longer',
    ],
    [
      `${server}/identity/sessions/login-queue.test.ts`,
      'a full queue answers 429 at once, and other keys are not affected',
    ],
  ),
  met(
    ['15.2.3', 2, 'Production has no test code'],
    'The image has production packages only, and the product imports nothing of its tests',
    [containers, 'the image installs what the lock file names, for production, without install scripts'],
  ),
  met(['15.3.1', 1, 'Answers have the needed members only'], 'By the schema of each answer', [
    `${server}/http/server/route-table.test.ts`,
    'the server does not start with a route without a response schema',
  ]),
  met(['15.3.2', 2, 'Redirects are not followed'], 'By no channel', [
    `${server}/channels/kinds/webhook.channel.test.ts`,
    'a redirect is not followed, wherever it leads',
  ]),
  met(['15.3.3', 2, 'No mass assignment'], 'Schemas list the members of each body; others are ignored', [
    'acceptance/scenarios/conformance/alarm-creation.test.ts',
    '§2.6 unknown members are ignored at every depth',
  ]),
  met(['15.3.4', 2, 'The address of the client is right'], '`TRUST_PROXY` lists the proxies', [
    `${server}/http/rate-limit.test.ts`,
    'without a token the address is charged, as forwarded by a trusted proxy',
  ]),
  notMet(
    ['15.3.5', 2, 'Types are strict'],
    'Strict TypeScript without any, checked by the build, and schemas at the edge; not shown for every comparison',
  ),
  met(
    ['15.3.6', 2, 'No prototype pollution'],
    'Bodies are parsed safely; names of clients are never looked up on plain objects',
    ['packages/signalr/src/classic/hub-request.test.ts', 'a member of Object.prototype is not a method'],
  ),
  notMet(
    ['15.3.7', 2, 'Repeated parameters do no harm'],
    'Path, query and body are separate and have schemas; no test sends a parameter twice',
  ),
  notMet(
    ['16.1.1', 2, 'There is an inventory of logs'],
    '[Logs](operations.md#logs) and [audit trail](operations.md#audit-trail) describe them, not for every layer',
  ),
  met(
    ['16.2.1', 2, 'Entries tell when, where, who and what'],
    'The audit trail: time, address, actor by id, action, object, before and after',
    [logIn, 'log-in and log-out are audited with user, address and session'],
  ),
  notMet(
    ['16.2.2', 2, 'Times are synchronized and in UTC'],
    'All servers use the clock of the database, and entries are in UTC; synchronizing that clock is left to the operator',
  ),
  notMet(
    ['16.2.3', 2, 'Logs go to documented places only'],
    'Standard output, and the configured file and syslog; no test shows that there are no others',
  ),
  met(['16.2.4', 2, 'Logs have a common format'], 'JSON lines, RFC 5424', [
    `${server}/audit/publish-heads.test.ts`,
    'the verifier can read the heads from log, file and syslog',
  ]),
  met(
    ['16.2.5', 2, 'Secrets are not logged'],
    'Removed at any depth',
    [log, 'secrets and phone numbers are not logged, at any depth'],
    [
      `${server}/identity/sessions/auth.routes.test.ts`,
      'no answer and no log line carries a password, a hash or a token',
    ],
  ),
  met(
    ['16.3.1', 2, 'Log-ins are logged'],
    'Successful and refused ones',
    [logIn, 'log-in and log-out are audited with user, address and session'],
    [logIn, 'a refused log-in is audited once a minute for each user, without the password'],
  ),
  met(['16.3.2', 2, 'Refused requests are logged'], 'In the audit trail', [
    `${server}/http/audit-matrix.test.ts`,
    'a request that is refused after the permission check is recorded too',
  ]),
  notMet(
    ['16.3.3', 2, 'Attempts to bypass controls are logged'],
    'Refusals and stolen tokens are logged; invalid input and exceeded limits are counted as metrics only',
  ),
  met(['16.3.4', 2, 'Unexpected errors are logged'], 'Each one', [
    `${server}/http/server/outage-log.test.ts`,
    'each bug is logged',
  ]),
  notMet(['16.4.1', 2, 'Log entries cannot be forged'], 'JSON escapes line breaks; no test tries it'),
  met(['16.4.2', 2, 'Logs cannot be changed'], 'The audit trail is only appended to, chained and signed', [
    `${server}/audit/audit.store.test.ts`,
    'neither can the owner by mistake: %s',
  ]),
  met(['16.4.3', 2, 'Logs are sent to another system'], 'Signed heads, by syslog over TLS', [
    `${server}/audit/publish-heads.test.ts`,
    'the verifier can read the heads from log, file and syslog',
  ]),
  notMet(
    ['16.5.1', 2, 'Errors reveal nothing'],
    'A bug is answered with 500 without details, and stays in the log; not shown for every error',
  ),
  met(
    ['16.5.2', 2, 'The failure of others does little harm'],
    'Each provider, the bus and the database may fail',
    [outage, 'a server without its database is alive, not ready, and stops on request'],
    [
      'acceptance/scenarios/hub-node-loss.test.ts',
      'every client has the whole journal after nodes were killed and NATS was away',
    ],
  ),
  met(
    ['16.5.3', 2, 'Failures do not open anything'],
    'A change that cannot be recorded is rolled back; without a tenant no row is visible',
    [trail, 'a change that the trail cannot record is rolled back, and so is a mask'],
    [
      `${server}/postgres/row-level-security.test.ts`,
      'without a tenant, or with an impossible one, the server sees no row of any table',
    ],
  ),
  notApplicable(['17.1.1', 2, 'TURN does not reach inner networks'], noWebRtc),
  notApplicable(['17.2.1', 2, 'Keys of DTLS are managed'], noWebRtc),
  notApplicable(['17.2.2', 2, 'DTLS uses approved ciphers'], noWebRtc),
  notApplicable(['17.2.3', 2, 'SRTP is authenticated'], noWebRtc),
  notApplicable(['17.2.4', 2, 'Malformed SRTP does no harm'], noWebRtc),
  notApplicable(['17.3.1', 2, 'Signalling survives a flood'], noWebRtc),
  notApplicable(['17.3.2', 2, 'Signalling survives malformed messages'], noWebRtc),
];

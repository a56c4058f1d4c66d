import { server } from '../security-claim.ts';
import { met, notApplicable, notMet, type Requirement } from './requirement.ts';

const architecture = 'tools/architecture.test.ts';
const badRequests = 'acceptance/scenarios/bad-requests.test.ts';
const errors = 'acceptance/scenarios/conformance/errors-and-limits.test.ts';
const template = 'packages/domain/src/alarm/message-template.test.ts';

/** Chapters 1 and 2: encoding, sanitization, validation, business logic. */
export const inputRequirements: readonly Requirement[] = [
  met(
    ['1.1.1', 2, 'Input is decoded once, before it is checked'],
    'The framework decodes path, query and JSON once; schemas check the result',
    [badRequests, 'after all bad requests the server has not grown, has stored nothing, and works'],
  ),
  met(
    ['1.1.2', 2, 'Output is escaped last, for the interpreter that reads it'],
    'JSON by schema, SQL by parameters, pages by React; values of message templates are cleaned for their medium when they are filled in',
    [template, 'only values are cleaned, and each of them'],
  ),
  notMet(
    ['1.2.1', 1, 'Output fits its context: HTML, attributes, headers'],
    'React escapes the console, and the page of an answer link escapes the text of the alarm; no test tries HTML in every text',
  ),
  notMet(
    ['1.2.2', 1, 'Addresses are built with encoded values and safe schemes'],
    'Addresses are built with encodeURIComponent and URLSearchParams; no test tries every place',
  ),
  met(
    ['1.2.3', 1, 'Dynamic JavaScript and JSON are escaped'],
    'No JavaScript is generated; JSON is serialized by schema, and the pages run no inline script',
    [`${server}/http/openapi/openapi.test.ts`, 'the reference page has no inline script and no inline style'],
  ),
  met(
    ['1.2.4', 1, 'Queries have parameters'],
    'SQL is in stores only, by Kysely or with parameters; search words are never part of a statement',
    [architecture, 'each rule has sources that break it'],
    ['packages/domain/src/alarm/search-text.test.ts', 'operators of query languages are plain text'],
  ),
  met(
    ['1.2.5', 1, 'No command injection'],
    'Programs are started without a shell, from a list of the operator; parameters are checked',
    [`${server}/commands/parameter-fault.test.ts`, 'even a pattern that matches anything refuses %s'],
  ),
  met(
    ['1.2.6', 2, 'No LDAP injection'],
    'Names are escaped before they become part of a filter',
    [`${server}/outside/directory/directory-filter.test.ts`, 'a name cannot change the filter'],
    [
      `${server}/outside/directory/directory-log-in.test.ts`,
      'the name %s is a name, and no part of a filter',
    ],
  ),
  notApplicable(['1.2.7', 2, 'No XPath injection'], 'No XML is queried'),
  notApplicable(['1.2.8', 2, 'LaTeX is processed safely'], 'No LaTeX is processed'),
  notMet(
    ['1.2.9', 2, 'Values in regular expressions are escaped'],
    'Regular expressions are constants in the sources; no rule of the linter enforces it',
  ),
  notApplicable(['1.3.1', 1, 'HTML of editors is sanitized'], 'No input is HTML: all texts are plain'),
  notMet(
    ['1.3.2', 1, 'No eval or other dynamic code'],
    'The sources have none, and the content security policy forbids it in browsers; no rule of the linter enforces it in the server',
  ),
  met(
    ['1.3.3', 2, 'Data for a dangerous context is cleaned and limited'],
    'Texts that are spoken or sent have their markup removed and a maximum length',
    [
      `${server}/channels/speech/spoken-text.test.ts`,
      'signs that an engine would interpret as markup are not spoken',
    ],
    [template, 'a filled template has a maximum length'],
  ),
  met(
    ['1.3.4', 2, 'Uploaded SVG cannot run scripts'],
    'Uploaded files are served as downloads, with a policy that forbids scripts',
    [
      `${server}/plant/media-file.test.ts`,
      'a sound is kept by name and comes back byte for byte, as a download',
    ],
  ),
  notMet(
    ['1.3.5', 2, 'Markdown, style sheets and the like of users are disabled or cleaned'],
    'Guidance and notes are plain text, and the Markdown of the built-in help is ours; no test tries markup in them',
  ),
  met(
    ['1.3.6', 2, 'No server-side request forgery'],
    'Messages go to public addresses only, after name resolution; the operator allows private ranges by tenant and port; redirects are not followed',
    [
      `${server}/channels/network/tenant-egress.test.ts`,
      'a port beside the one that the operator opens is closed',
    ],
    [
      `${server}/channels/network/egress.test.ts`,
      'what the operator allows to one tenant is closed to the others',
    ],
  ),
  met(
    ['1.3.7', 2, 'No template injection'],
    'Templates have a fixed list of placeholders, and values are filled in once',
    [template, 'a value never becomes a placeholder, whatever it holds'],
  ),
  notApplicable(['1.3.8', 2, 'No JNDI injection'], 'There is no Java'),
  notApplicable(['1.3.9', 2, 'No memcache injection'], 'There is no memcache'),
  met(
    ['1.3.10', 2, 'Format strings of users are safe'],
    'The format of an alarm knows named placeholders only',
    [template, 'a template that is accepted leaves no brace of its own behind'],
  ),
  notMet(
    ['1.3.11', 2, 'No injection into mail'],
    'A mail library builds the messages from separate fields, and subjects lose line breaks; no test tries an injection',
  ),
  notApplicable(
    ['1.4.1', 2, 'Memory-safe strings and copies'],
    'The product is written in a memory-safe language',
  ),
  met(
    ['1.4.2', 2, 'Numbers stay in their range'],
    'Each number of the interface has a range in its schema, and the database checks identifiers again',
    [
      `${server}/commands/command-grants.test.ts`,
      'an alarm with the largest accepted numbers is stored with its command',
    ],
  ),
  met(
    ['1.4.3', 2, 'Memory and resources are released'],
    'Caches and queues have limits, and tests measure the memory after attacks',
    [badRequests, 'after all bad requests the server has not grown, has stored nothing, and works'],
  ),
  notApplicable(['1.5.1', 1, 'XML parsers resolve no external entities'], 'The server parses no XML'),
  met(
    ['1.5.2', 2, 'Deserialization is safe'],
    'JSON only, checked by schemas; MessagePack of the hub creates plain values only',
    [
      'packages/signalr/src/protocols/nesting-limit.test.ts',
      'the maximum nesting is accepted, and one level more is not',
    ],
    [errors, '§7 a body nested a thousand deep is 400'],
  ),
  met(
    ['2.1.1', 1, 'The rules for input are documented'],
    '[openapi.json](openapi.json) has a schema for every member, and comes from the code that checks it',
    [`${server}/http/openapi/openapi.test.ts`, 'every route is described, and nothing else'],
  ),
  notMet(
    ['2.1.2', 2, 'Rules for combinations of input are documented'],
    '[interface.md](interface.md) describes them in words; no test compares it with the code',
  ),
  met(
    ['2.1.3', 2, 'Limits are documented'],
    'The interface answers its limits, and [configuration.md](configuration.md) lists those of the operator',
    ['tools/configuration-page.test.ts', 'docs/configuration.md has every setting of the server as it is'],
  ),
  met(['2.2.1', 1, 'All input is validated'], 'The server does not start with a route without schemas', [
    `${server}/http/server/route-table.test.ts`,
    'the server does not start with a route without schemas of its path and body',
  ]),
  met(['2.2.2', 1, 'The server validates, not only the client'], 'The same schemas, in the server', [
    badRequests,
    'after all bad requests the server has not grown, has stored nothing, and works',
  ]),
  met(
    ['2.2.3', 2, 'Combinations of values are checked'],
    'References are checked for existence and visibility, periods for their order',
    [
      `${server}/http/reference-matrix.test.ts`,
      'the matrix is of all routes, roles, tenants and stations, and large',
    ],
    [`${server}/shifts/shift-note.test.ts`, 'a period that ends before it begins is refused'],
  ),
  met(
    ['2.3.1', 1, 'Steps happen in their order'],
    'Alarms and calls are state machines; signatures of a shift are given in order',
    [
      `${server}/shifts/shift-note.test.ts`,
      'nobody signs for both shifts, twice, or before the outgoing shift',
    ],
    [
      'packages/domain/src/calling/delivery.test.ts',
      'a dispatcher that lost an attempt to another cannot settle it any more',
    ],
  ),
  met(
    ['2.3.2', 2, 'Limits of the business are enforced'],
    'Masks, waits, calls and codes have limits',
    ['packages/domain/src/alarm/mask.test.ts', 'a mask always ends, and never later than the tenant allows'],
    [`${server}/contacts/address-code.test.ts`, 'an address gets three codes in an hour, from whomever'],
  ),
  met(
    ['2.3.3', 2, 'Operations happen whole or not at all'],
    'One transaction per operation, with its audit entry',
    [
      `${server}/http/audit-trail.test.ts`,
      'a change that the trail cannot record is rolled back, and so is a mask',
    ],
  ),
  met(
    ['2.3.4', 2, 'Locks prevent double use'],
    'Leases with fencing tokens; one live call for each telephone',
    [
      'packages/domain/src/calling/phone-line.test.ts',
      'a phone with a live call gets no second one, and other phones and texts do not wait',
    ],
    [`${server}/people/set-up.test.ts`, 'two concurrent uses of the code create one administrator'],
  ),
  met(
    ['2.4.1', 2, 'Excessive use is limited'],
    'Limits per user, key and address, and for connections',
    [
      `${server}/http/rate-limit.test.ts`,
      'a flood by one user does not affect others, nor the same name in another tenant',
    ],
    [`${server}/identity/invented-keys.test.ts`, 'invented keys are refused without a database read each'],
  ),
];

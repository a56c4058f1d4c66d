import { server } from '../security-claim.ts';
import { met, notApplicable, notMet, type Requirement } from './requirement.ts';

const consolePages = `${server}/http/console/console.test.ts`;
const cookie = `${server}/identity/sessions/session-cookie.test.ts`;
const hubAccess = `${server}/hub/access/hub-access.test.ts`;
const mediaFiles = `${server}/plant/media-file.test.ts`;
const reference = `${server}/http/openapi/openapi.test.ts`;
const tls = `${server}/tls.test.ts`;

/** Chapters 3 to 5: browsers, interface, files. */
export const webRequirements: readonly Requirement[] = [
  met(
    ['3.2.1', 1, 'Browsers do not show answers in a wrong context'],
    'Answers of the interface have a policy that forbids everything; files are downloads; types are not guessed',
    [mediaFiles, 'a sound is kept by name and comes back byte for byte, as a download'],
  ),
  notMet(
    ['3.2.2', 1, 'Text is shown as text'],
    'React shows all texts as text, and the sources set no HTML; no rule of the linter enforces it',
  ),
  notMet(
    ['3.3.1', 1, 'Cookies are Secure and have a prefix in their name'],
    'The cookie is Secure over TLS, and its name has no prefix, because the server also works without TLS on one machine',
  ),
  met(
    ['3.3.2', 2, 'Cookies have the right SameSite'],
    'SameSite=Strict, and the origin of the page is checked',
    [cookie, 'a page gets its refresh token in a cookie that scripts cannot read, and nowhere else'],
  ),
  notMet(
    ['3.3.3', 2, 'Cookies have the prefix __Host-'],
    'The cookie is sent to one path only, which this prefix does not permit',
  ),
  met(['3.3.4', 2, 'Scripts cannot read session cookies'], 'HttpOnly, and the token is in no body', [
    cookie,
    'a page gets its refresh token in a cookie that scripts cannot read, and nowhere else',
  ]),
  notMet(
    ['3.4.1', 1, 'Answers demand TLS for a year (HSTS)'],
    'The server sends no such header: add it in the proxy, as [hardening.md](hardening.md) describes',
  ),
  met(
    ['3.4.2', 1, 'Other origins must be listed'],
    '`ALLOWED_ORIGINS`, empty by default; an origin is never repeated without being listed',
    [
      `${server}/http/server/cross-origin.test.ts`,
      'a page of a listed origin may send requests, and reads answers and refusals',
    ],
  ),
  met(
    ['3.4.3', 2, 'A content security policy limits what is loaded'],
    'Own files only, without inline scripts; everything is forbidden outside of pages',
    [reference, 'other routes keep the strict policy'],
    [consolePages, 'each page of the console answers its index, which is never kept, without a token'],
  ),
  met(
    ['3.4.4', 2, 'Types are not guessed (nosniff)'],
    'A header of every answer',
    [mediaFiles, 'a sound is kept by name and comes back byte for byte, as a download'],
    [consolePages, 'each page of the console answers its index, which is never kept, without a token'],
  ),
  met(['3.4.5', 2, 'Addresses do not leak by the referrer'], '`Referrer-Policy: no-referrer`', [
    consolePages,
    'each page of the console answers its index, which is never kept, without a token',
  ]),
  met(['3.4.6', 2, 'Pages cannot be framed'], "`frame-ancestors 'none'` on every answer", [
    consolePages,
    'each page of the console answers its index, which is never kept, without a token',
  ]),
  met(
    ['3.5.1', 1, 'Forged requests of other pages are refused'],
    'Requests carry a token in a header that pages of other origins cannot set; the cookie is accepted from our own pages only',
    [cookie, 'a token is accepted only the way it was given out'],
  ),
  met(
    ['3.5.2', 1, 'Nothing sensitive works without a preflight request'],
    'The token is in the Authorization header; log-in checks the origin',
    [cookie, 'a log-in without cookie=1 sets no cookie'],
  ),
  met(
    ['3.5.3', 1, 'Changes need POST, PUT, PATCH or DELETE'],
    'Every route other than GET has an audit rule, and no GET changes anything; the link of a call shows a page with a button',
    [
      `${server}/http/server/route-table.test.ts`,
      'the server does not start with a changing route without an audit rule',
    ],
    [
      `${server}/dispatch/answers/answer-link.test.ts`,
      'opening the link shows the call and changes nothing; the button acknowledges the alarm',
    ],
  ),
  notMet(
    ['3.5.4', 2, 'Applications have host names of their own'],
    'A decision of the operator: [hardening.md](hardening.md) recommends it',
  ),
  notMet(
    ['3.5.5', 2, 'Messages between windows are checked'],
    'The service worker receives messages of its own pages only, which the browser guarantees; no test tries a wrong one',
  ),
  met(
    ['3.7.1', 2, 'No outdated technology in the browser'],
    'Standard HTML, CSS and JavaScript; the packages are in the bill of materials',
    ['tools/sbom/sbom.test.ts', 'the bill lists exactly the packages whose code the built console contains'],
  ),
  notApplicable(['3.7.2', 2, 'Redirects to other hosts are listed'], 'The server redirects to no other host'),
  met(['4.1.1', 1, 'Answers name their type and character set'], 'By the schema of each answer', [
    'acceptance/scenarios/conformance/authentication.test.ts',
    '§5 log-in answers 200 with JSON that is not cached',
  ]),
  met(['4.1.2', 2, 'The interface does not redirect to TLS'], 'With TLS, plain HTTP is not answered at all', [
    tls,
    'a running server accepts TLS 1.2 and 1.3, and neither older versions nor plain HTTP',
  ]),
  met(
    ['4.1.3', 2, 'Users cannot set headers of the proxy'],
    'Forwarded headers count from the addresses in `TRUST_PROXY` only',
    [
      `${server}/http/rate-limit.test.ts`,
      'without a token the address is charged, as forwarded by a trusted proxy',
    ],
  ),
  notMet(
    ['4.2.1', 2, 'Requests cannot be smuggled'],
    'Node.js refuses ambiguous lengths by default; no test of ours shows it',
  ),
  notApplicable(['4.3.1', 2, 'GraphQL queries are limited'], 'There is no GraphQL'),
  notApplicable(['4.3.2', 2, 'GraphQL introspection is off'], 'There is no GraphQL'),
  met(['4.4.1', 1, 'WebSockets use TLS'], 'On the same port as HTTPS, which answers nothing in clear', [
    tls,
    'a running server accepts TLS 1.2 and 1.3, and neither older versions nor plain HTTP',
  ]),
  met(['4.4.2', 2, 'The origin of WebSockets is checked'], 'Own and listed origins only', [
    hubAccess,
    'pages of other origins are refused, those of the list and of the server itself are not',
  ]),
  met(
    ['4.4.3', 2, 'WebSockets have proper tokens'],
    'The access token, or a sealed connection token that was negotiated with it',
    [
      'packages/signalr/src/tokens/connection-token.test.ts',
      'every changed byte and every truncation is detected',
    ],
  ),
  met(
    ['4.4.4', 2, 'Tokens of WebSockets come from an authenticated request'],
    'Negotiation needs the access token, and the connection belongs to that user',
    [
      'packages/signalr/src/core/http-endpoints.test.ts',
      'a connection can be used only by the user who negotiated it',
    ],
  ),
  notMet(
    ['5.1.1', 2, 'File types and sizes are documented'],
    '[interface.md](interface.md) lists types and sizes; it does not say how files are made safe',
  ),
  met(
    ['5.2.1', 1, 'Files have a maximum size'],
    'The body of a request has a limit, and larger ones are refused before they are read',
    [
      'acceptance/scenarios/tag-import.test.ts',
      'a file that is larger than the server takes is refused whole',
    ],
  ),
  met(['5.2.2', 1, 'Content matches its type'], 'The first bytes of a file are compared with its type', [
    mediaFiles,
    'a name is never a path, and the content matches its type',
  ]),
  notApplicable(
    ['5.2.3', 2, 'Archives are limited before they are unpacked'],
    'Uploads are not unpacked, and compressed bodies are refused',
  ),
  met(['5.3.1', 1, 'Uploads are never run'], 'They are rows of the database, served as downloads', [
    mediaFiles,
    'a sound is kept by name and comes back byte for byte, as a download',
  ]),
  met(
    ['5.3.2', 1, 'Names of users are no paths'],
    'Files are found by their name in the database; files of the console by a list made at start',
    [mediaFiles, 'a name is never a path, and the content matches its type'],
    [consolePages, 'other paths are problems: no file outside the console is read'],
  ),
  met(
    ['5.4.1', 2, 'Downloads have a name that the server decides'],
    'Content-Disposition with the checked name',
    [mediaFiles, 'a sound is kept by name and comes back byte for byte, as a download'],
  ),
  notMet(
    ['5.4.2', 2, 'Names in headers and mails are encoded'],
    'Names are limited when a file is stored, and encoded by the mail library; no test tries a hostile name',
  ),
  notMet(
    ['5.4.3', 2, 'Uploads are scanned for malware'],
    'There is no scanner. Only engineers and administrators upload, and only sounds, images and PDF',
  ),
];

import { expect, test } from 'vitest';
import { readReply } from './read-reply.ts';
import { maxMailBytes, readMail } from './received-mail.ts';
import { answerAddress, bounceAddress } from './reply-address.ts';

const replies = { domain: 'plant.example', key: Buffer.alloc(32, 3) };
const attemptId = '0a1b2c3d4e5f-1-7';
const anna = 'anna@plant.example';
const answer = answerAddress(replies, { attemptId, code: '482913', recipient: anna }) ?? '';
const bounce = bounceAddress(replies, attemptId) ?? '';

async function reading(
  body: string,
  { from = `Anna <${anna}>`, to = answer, headers = [] as string[], type = 'text/plain; charset=utf-8' } = {},
) {
  const head = [`From: ${from}`, `To: ${to}`, 'Subject: Re: Pump 3 fails', `Content-Type: ${type}`];
  const source = [...head, ...headers, '', body].join('\r\n');
  return readReply(replies, await readMail(Buffer.from(source)));
}

const replied = (text: string) => ({
  kind: 'incoming',
  incoming: { kind: 'reply', attemptId, from: anna, text },
});

const quoted =
  '\n\nOn Mon, 16 Nov 2026 at 03:00, Alarm <alarm@plant.example> wrote:\n> Pump 3 fails\n> Reply 999999\n';

test.for([
  ['ACK, on my way', '482913'],
  ['ok', '482913'],
  ['Ok. 10 minutes', '482913'],
  ['OUI', '482913'],
  ['Ja, komme', '482913'],
  ['Sí', '482913'],
  ['1', '482913'],
  ['2', '482913 2'],
  ['ok 2', '482913 2'],
  ['482913', '482913'],
  ['ok 482913 2', 'ok 482913 2'],
  ['ok 111111', 'ok 111111'],
  ['who is this?', 'who is this?'],
  ['Januar', 'Januar'],
  ['not ok', 'not ok'],
  ['okular', 'okular'],
  ['12', '12'],
  ['', ''],
] as const)('the reply "%s" above the quoted mail is handed on as "%s"', async ([text, handedOn]) => {
  expect(await reading(text + quoted)).toEqual(replied(handedOn));
});

test('a reply in HTML with the signature of a telephone is read, too', async () => {
  const html =
    '<html><body><div>OK<br></div><div>-- <br>Sent from my phone</div><blockquote>&gt; no</blockquote></body></html>';
  expect(await reading(html, { type: 'text/html' })).toEqual(replied('482913'));
});

test('the address is found where a mail server notes the envelope, and among several recipients', async () => {
  const headers = [`Delivered-To: <${answer}>`];
  expect(await reading('ok', { to: 'undisclosed-recipients:;', headers })).toEqual(replied('482913'));
  expect(await reading('ok', { to: `Boss <boss@plant.example>, ${answer}` })).toEqual(replied('482913'));
});

test.for([
  'Auto-Submitted: auto-replied',
  'Auto-Submitted: auto-generated; owner-email="anna@plant.example"',
  'Precedence: bulk',
  'Precedence: auto_reply',
  'X-Autoreply: yes',
])('an out-of-office reply with "%s" answers nothing', async (header) => {
  const ignored = { kind: 'ignored', reason: 'automatic' };
  expect(await reading('ok, I am back on Monday', { headers: [header] })).toEqual(ignored);
});

test('a mail that says that no program has sent it is a reply', async () => {
  expect(await reading('ok', { headers: ['Auto-Submitted: no'] })).toEqual(replied('482913'));
});

test('a forged address, another sender and several senders are refused', async () => {
  const forged = { kind: 'ignored', reason: 'forged' };
  expect(await reading('ok', { to: answer.replace('-7-', '-8-') })).toEqual(forged);
  expect(await reading('ok', { from: 'bert@plant.example' })).toEqual(forged);
  expect(await reading('ok', { from: `${anna}, eve@evil.example` })).toEqual(forged);
  expect(await reading('ok', { to: 'ack+x@plant.example' })).toEqual(forged);
});

test('mail that is not about a call is left alone', async () => {
  const notOurs = { kind: 'ignored', reason: 'not ours' };
  expect(await reading('ok', { to: 'alarm@plant.example' })).toEqual(notOurs);
});

const returned = (permanent: boolean, codes: string) => ({
  kind: 'incoming',
  incoming: {
    kind: 'outcome',
    attemptId,
    outcome: { kind: 'failed', permanent, blame: 'recipient', reason: `the mail came back${codes}` },
  },
});

const daemon = { from: 'Mailer Daemon <MAILER-DAEMON@mail.plant.example>', to: bounce };

test.for([
  ['Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user', true, ' (550 5.1.1)'],
  ['Action: failed\nStatus: 4.4.7\n', false, ' (4.4.7)'],
  ['Action: delayed\nStatus: 4.2.2\nDiagnostic-Code: smtp; 452 full', false, ' (452 4.2.2)'],
  ['Sorry.\n<anna@plant.example>: 552 mailbox is full', true, ' (552)'],
  ['Sorry, this did not work.', false, ''],
] as const)('a mail that comes back with "%s" has failed', async ([body, permanent, codes]) => {
  expect(await reading(body, daemon)).toEqual(returned(permanent, codes));
});

test('a report of a mail server in its own part is read', async () => {
  const body = [
    '--b',
    'Content-Type: text/plain',
    '',
    'Your mail was not delivered.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.plant.example',
    '',
    'Final-Recipient: rfc822; anna@plant.example',
    'Action: failed',
    'Status: 5.2.1',
    '--b--',
    '',
  ].join('\r\n');
  const type = 'multipart/report; report-type=delivery-status; boundary=b';
  const headers = ['Auto-Submitted: auto-replied'];
  expect(await reading(body, { ...daemon, type, headers })).toEqual(returned(true, ' (5.2.1)'));
});

test('a report of success and an absent person are no failure', async () => {
  const notBounce = { kind: 'ignored', reason: 'not a bounce' };
  expect(await reading('Action: delivered\nStatus: 2.0.0', daemon)).toEqual(notBounce);
  const away = { from: anna, to: bounce, headers: ['Auto-Submitted: auto-replied'] };
  expect(await reading('I am away. My number was 555 Baker Street.', away)).toEqual(notBounce);
});

test.for([
  ['many empty lines', `ok${'\r\n'.repeat(60_000)}x`],
  ['many spaced lines', `ok${'\r\n '.repeat(40_000)}x`],
  ['many quotes', `ok\n${'> On Monday Anna wrote:\n'.repeat(6_000)}`],
  ['one long line', `ok ${'On a, b wrote '.repeat(20_000)}`],
  ['a huge mail', `ok\n\n${'x'.repeat(3 * maxMailBytes)}`],
] as const)('a reply with %s is read in good time', async ([, body]) => {
  const started = performance.now();
  expect(await reading(body)).toEqual(replied('482913'));
  expect(performance.now() - started).toBeLessThan(2_000);
});

test.for([
  '',
  '\0\0\0',
  'From: \xff\r\nTo: <<<>>>\r\n',
  'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b',
])('a mail that is damaged is ignored: %j', async (source) => {
  expect(readReply(replies, await readMail(Buffer.from(source, 'latin1')))).toEqual({
    kind: 'ignored',
    reason: 'not ours',
  });
});

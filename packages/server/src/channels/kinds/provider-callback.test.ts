import { expect, test } from 'vitest';
import { codeInReply } from '../port/reply-code.ts';
import { readProviderCallback } from './provider-callback.ts';
import { signWebhook } from './webhook-signature.ts';

const secret = Buffer.alloc(32, 5).toString('base64');
const now = new Date('2026-03-01T06:00:00Z');

function callBack(report: unknown, { secrets = [secret], at = now } = {}) {
  const body = typeof report === 'string' ? report : JSON.stringify(report);
  const headers = signWebhook({ id: 'report-1', body, now }, [secret]);
  return readProviderCallback({ headers, body, now: at }, secrets);
}

const about = { attemptId: 'attempt-1', reference: 'PC1' };

test.for([
  { event: 'delivered', outcome: { kind: 'delivered', reference: 'PC1' } },
  { event: 'answered', outcome: { kind: 'answered', reference: 'PC1' } },
  { event: 'ended', outcome: { kind: 'ended', reference: 'PC1', reason: '', wasAnswered: true } },
  { event: 'busy', outcome: { kind: 'busy', reference: 'PC1' } },
  { event: 'noAnswer', outcome: { kind: 'noAnswer', reference: 'PC1' } },
  { event: 'refused', outcome: { kind: 'refused', reference: 'PC1', reason: '' } },
  {
    event: 'failed',
    reason: 'no such number',
    outcome: { kind: 'failed', permanent: true, blame: 'recipient', reason: 'no such number' },
  },
  { event: 'digits', digits: '482913', outcome: { kind: 'acknowledged', reference: 'PC1', code: '482913' } },
  { event: 'reply', text: 'OK 482913', outcome: { kind: 'acknowledged', reference: 'PC1', code: '482913' } },
  { event: 'reply', text: 'who is this?', outcome: { kind: 'answered', reference: 'PC1' } },
])('a signed report of "$event" carries the outcome of the attempt', ({ outcome, ...report }) => {
  expect(callBack({ ...about, ...report })).toEqual({
    kind: 'report',
    report: { callbackId: 'report-1', attemptId: 'attempt-1', from: undefined, outcome },
  });
});

test('a reply carries its number, because only the called number may answer', () => {
  const read = callBack({ ...about, event: 'reply', text: '482913', from: '+33612345678' });
  expect(read).toMatchObject({ report: { from: '+33612345678', outcome: { code: '482913' } } });
});

test('a forged report is refused', () => {
  const body = JSON.stringify({ ...about, event: 'digits', digits: '482913' });
  const refused = { kind: 'refused', reason: 'not-signed' };
  expect(readProviderCallback({ headers: {}, body, now }, [secret])).toEqual(refused);
  expect(callBack(body, { secrets: [Buffer.alloc(32, 6).toString('base64')] })).toEqual(refused);
  expect(callBack(body, { secrets: [] })).toEqual(refused);
  const headers = signWebhook({ id: 'report-1', body, now }, [secret]);
  const changed = body.replace('attempt-1', 'attempt-2');
  expect(readProviderCallback({ headers, body: changed, now }, [secret])).toEqual(refused);
});

test('an old report is refused: it may be a replay', () => {
  const report = { ...about, event: 'digits', digits: '482913' };
  expect(callBack(report, { at: new Date('2026-03-01T06:06:00Z') })).toEqual({
    kind: 'refused',
    reason: 'not-signed',
  });
});

test.for([
  'not JSON',
  [],
  {},
  { ...about, event: 'sang' },
  { ...about, attemptId: '', event: 'busy' },
  { ...about, event: 'digits', digits: 482_913 },
  { ...about, event: 'reply', text: 'x'.repeat(2_000) },
])('a signed report that is invalid is refused: %j', (report) => {
  expect(callBack(report)).toEqual({ kind: 'refused', reason: 'not-understood' });
});

test.for([
  ['482913', '482913'],
  ['ok 482913', '482913'],
  ['ACK 482913 on my way', '482913'],
  ['Ok, 482913', '482913'],
  ['1 482913', '482913'],
  ['oui: 482913', '482913'],
  ['482913 2', '482913 2'],
  ['ok 482913-1', '482913-1'],
  ['ok', undefined],
  ['no, call Anna on 0612345678', undefined],
  ['not ok 482913', undefined],
  ['48291345678', undefined],
] as const)('the reply "%s" carries the code %s', ([text, code]) => {
  expect(codeInReply(text)).toBe(code);
});

import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signWebhook, verifyWebhook } from './webhook-signature.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const former = Buffer.alloc(24, 9).toString('base64');
const body = '{"text":"Überlauf"}';

/** The reference library goes by the real clock. */
const now = new Date();

test('the standard library verifies our signatures, with the new and the former secret', () => {
  const headers = signWebhook({ id: 'attempt-1', body, now }, [secret, former]);
  for (const one of [secret, former]) {
    expect(new Webhook(one).verify(body, headers)).toEqual({ text: 'Überlauf' });
  }
});

test('another secret or another text is rejected by the standard library', () => {
  const headers = signWebhook({ id: 'attempt-1', body, now }, [secret]);
  expect(() => new Webhook(former).verify(body, headers)).toThrow('No matching signature');
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
});

test('signatures of the standard library are accepted with any of our secrets', () => {
  const signature = new Webhook(former).sign('report-1', now, body);
  const headers = {
    'webhook-id': 'report-1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': signature,
  };
  expect(verifyWebhook({ headers, body, now }, [secret, former])).toBe('report-1');
  expect(verifyWebhook({ headers, body, now }, [secret])).toBeUndefined();
});

const signed = signWebhook({ id: 'report-1', body, now }, [secret]);
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);

test.for([
  { fault: 'no headers', headers: {} },
  { fault: 'no signature', headers: { ...signed, 'webhook-signature': '' } },
  { fault: 'another id', headers: { ...signed, 'webhook-id': 'report-2' } },
  {
    fault: 'another time',
    headers: { ...signed, 'webhook-timestamp': String(Number(signed['webhook-timestamp']) + 1) },
  },
  { fault: 'a time that is no number', headers: { ...signed, 'webhook-timestamp': 'soon' } },
  {
    fault: 'a signature of another version',
    headers: { ...signed, 'webhook-signature': signed['webhook-signature'].replace('v1', 'v2') },
  },
  {
    fault: 'half a signature',
    headers: { ...signed, 'webhook-signature': signed['webhook-signature'].slice(0, 20) },
  },
  { fault: 'a header twice', headers: { ...signed, 'webhook-id': ['report-1', 'report-1'] } },
])('a message with $fault is rejected', ({ headers }) => {
  expect(verifyWebhook({ headers, body, now }, [secret])).toBeUndefined();
});

test('a signature that is too old or in the future is rejected', () => {
  expect(verifyWebhook({ headers: signed, body, now: minutes(4) }, [secret])).toBe('report-1');
  expect(verifyWebhook({ headers: signed, body, now: minutes(6) }, [secret])).toBeUndefined();
  expect(verifyWebhook({ headers: signed, body, now: minutes(-6) }, [secret])).toBeUndefined();
});

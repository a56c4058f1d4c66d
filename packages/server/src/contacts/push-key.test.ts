import { expect } from 'vitest';
import { test } from '../dispatch/testing/answer.fixture.ts';

const settings = {
  publicKey: `B${'A'.repeat(86)}`,
  privateKey: 'A'.repeat(43),
  subject: 'mailto:alarm@plant.example',
};

test('whoever logs in learns the public key of web push, and never the private one', async ({ client }) => {
  const viewer = client('viewer', { userId: 1 });
  expect((await viewer.get('/me/push-key')).json()).toEqual({});
  const created = await client('admin').post('/channels', { name: 'Browsers', kind: 'web-push', settings });
  expect(created.statusCode, created.body).toBe(200);
  const { body } = await viewer.get('/me/push-key');
  expect(JSON.parse(body)).toEqual({ publicKey: settings.publicKey });
});

test('a channel that is switched off offers no key', async ({ client }) => {
  const channel = { name: 'Browsers', kind: 'web-push', enabled: false, settings };
  expect((await client('admin').post('/channels', channel)).statusCode).toBe(200);
  expect((await client('viewer', { userId: 1 }).get('/me/push-key')).json()).toEqual({});
});

import { expect } from 'vitest';
import { test } from '../../testing/app.fixture.ts';

const path = '/security-settings';
const usual = {
  secondFactorRoles: [],
  confirmDangerous: false,
  confirmationMinutes: 10,
  deskMinutes: 15,
  twoPersonActions: [],
};

test('a new plant requires no second factor and asks for no confirmation', async ({ client }) => {
  const answer = await client('operator').get(path);
  expect(answer.json()).toEqual(usual);
  expect(answer.headers.etag).toBe('"0"');
});

test('an administrator changes the rules, and a second one does not overwrite them unseen', async ({
  client,
}) => {
  const admin = client('admin');
  const rules = { ...usual, secondFactorRoles: ['admin'], deskMinutes: 5, twoPersonActions: ['commands'] };
  const saved = await admin.put(path, rules, { 'if-match': '"0"' });
  expect(saved.json()).toEqual(rules);
  expect((await admin.get(path)).json()).toEqual(rules);
  const stale = await admin.put(path, usual, { 'if-match': '"0"' });
  expect(stale.json()).toMatchObject({ code: 'stale-version' });
  const fresh = await admin.put(path, usual, { 'if-match': String(saved.headers.etag) });
  expect(fresh.json()).toEqual(usual);
});

test('the rules of one plant are not those of another', async ({ client }) => {
  await client('admin').put(path, { ...usual, deskMinutes: 5 });
  expect((await client('admin', { tenantId: 2 }).get(path)).json()).toEqual(usual);
});

test.for([
  { fault: 'a role that does not exist', change: { secondFactorRoles: ['king'] } },
  { fault: 'a confirmation that lasts for a day', change: { confirmationMinutes: 1_440 } },
  { fault: 'an action that nobody knows', change: { twoPersonActions: ['coffee'] } },
])('$fault is refused', async ({ change }, { client }) => {
  const answer = await client('admin').put(path, { ...usual, ...change });
  expect(answer.json()).toMatchObject({ code: 'invalid-request' });
});

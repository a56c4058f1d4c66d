import { expect } from 'vitest';
import { test as hubTest, listen, logIn } from '../hub/testing/hub.fixture.ts';
import { test } from '../testing/app.fixture.ts';

const password = 'nine patient badgers digging';

test('a break-glass account has a password and nothing from outside', async ({ client }) => {
  const admin = client('admin', { userId: 99 });
  const body = { username: 'emergency', role: 'admin', breakGlass: true };
  const without = await admin.post('/users', body);
  expect(without.statusCode).toBe(400);
  expect(without.body).toContain('needs a password');
  const identities = [{ issuer: 'https://login.example', subject: 'x' }];
  expect((await admin.post('/users', { ...body, password, identities })).body).toContain('must be empty');
  const id = (await admin.post('/users', { ...body, password })).json<number>();
  expect((await admin.get(`/users/${id}`)).json()).toMatchObject({ breakGlass: true });
  const linked = await admin.put(`/users/${id}`, { username: 'emergency', identities });
  expect(linked.statusCode, 'it stays one in a replacement').toBe(400);
  const ended = await admin.put(`/users/${id}`, { username: 'emergency', breakGlass: false });
  expect(ended.json()).not.toHaveProperty('breakGlass');
});

test('an ordinary user can become one only with a password', async ({ client }) => {
  const admin = client('admin', { userId: 99 });
  const id = (await admin.post('/users', { username: 'anna' })).json<number>();
  const body = { username: 'anna', breakGlass: true };
  expect((await admin.put(`/users/${id}`, body)).statusCode).toBe(400);
  expect((await admin.put(`/users/${id}`, { ...body, password })).statusCode).toBe(200);
});

hubTest('each log-in raises an alarm of priority 1 that says who and from where', async ({ site }) => {
  const server = await site.start();
  const admin = await logIn(server, 'admin');
  const listener = await listen(server, admin.token);
  await listener.subscribe();
  const body = { username: 'emergency', name: 'Emergency', role: 'admin', breakGlass: true, password };
  await admin.post('/users', body);
  const form = new URLSearchParams({ grant_type: 'password', username: 'emergency', password });
  const enter = async () =>
    (await fetch(`${server.url}/api/v1/auth/login`, { method: 'POST', body: form })).status;
  expect(await enter()).toBe(200);
  const raised = () => listener.alarms.filter(({ path }) => path.startsWith('tocsin/break-glass/'));
  await expect.poll(() => raised().length, { timeout: 15_000 }).toBeGreaterThan(0);
  expect(raised()[0]).toMatchObject({
    priority: 1,
    message: expect.stringMatching(/Emergency \(emergency\) was used from (::ffff:)?127\.0\.0\.1/),
  });
  const { items } = await admin.get<{ items: { after?: object }[] }>('/audit?action=session.open');
  expect(items[0]).toMatchObject({ after: { breakGlass: true } });
});

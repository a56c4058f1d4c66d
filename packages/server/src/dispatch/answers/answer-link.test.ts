import { expect } from 'vitest';
import type { HttpApp } from '../../http/http-app.ts';
import { answersOf, nightShift, sentOf, test } from '../testing/answer.fixture.ts';

const pathOf = (link: string | undefined) => new URL(link ?? '').pathname;
const send = (app: HttpApp, url: string, answer: string) =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ answer }).toString(),
  });

test('opening the link shows the call and changes nothing; the button acknowledges the alarm', async ({
  runtime,
  app,
  client,
  world,
  work,
}) => {
  const admin = client('admin');
  const { raise } = await nightShift(admin);
  const id = await raise('boiler/1', { alarmMessage: '<script>alert("Boiler & Co")</script>' });
  await work();
  const path = pathOf(world.sent[0]?.answer?.link);
  for (let opened = 0; opened < 3; opened += 1) {
    const page = await app.inject({ method: 'GET', url: path });
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'cache-control': 'no-store',
    });
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect(page.body).toContain('&lt;script&gt;alert(&quot;Boiler &amp; Co&quot;)');
    expect(page.body).not.toContain('<script');
    expect(page.body).toContain('I take the alarm');
    expect(page.body).not.toContain(path.split('/').at(-1));
  }
  expect(await answersOf(runtime)).toEqual([]);
  expect((await admin.get(`/alarms/${id}`)).json()).toMatchObject({ state: 3 });

  const done = await send(app, path, 'take');
  expect(done.statusCode).toBe(200);
  expect(done.body).toContain(`Alarm ${id} is yours`);
  expect((await admin.get(`/alarms/${id}`)).json()).toMatchObject({ state: 1, ackUser: 'Ada' });
  expect(await answersOf(runtime)).toEqual([{ method: 'link', intent: 'take', judgement: 'accepted' }]);

  const again = await send(app, path, 'take');
  expect(again.statusCode).toBe(410);
  expect(again.body).toContain('answered before');
  expect((await app.inject({ method: 'GET', url: path })).statusCode).toBe(410);
});

test('the page shows the alarm, its place, its local time and who has acknowledged it', async ({
  app,
  client,
  clock,
  world,
  work,
}) => {
  const admin = client('admin');
  const { raise } = await nightShift(admin);
  clock.set('2026-04-29T20:15:00Z');
  const id = await raise('boiler/1', { alarmMessage: 'Boiler 1 overheats' });
  await work();
  const path = pathOf(world.sent[0]?.answer?.link);
  const page = (await app.inject({ method: 'GET', url: path })).body;
  expect(page).toContain('Boiler 1 overheats');
  expect(page).toMatch(/boiler\/1, [^<]+: since 2026-04-29 22:15 \(Europe\/Paris\)/);
  await client('operator').post(`/alarms/${id}/acknowledge`, {});
  const { ackUser } = (await admin.get(`/alarms/${id}`)).json();
  const taken = (await app.inject({ method: 'GET', url: path })).body;
  expect(taken).toContain(`Alarm ${id} was taken by ${ackUser} before you.`);
  expect(taken).not.toContain('value="take"');
});

test('confirming the call by its link does not acknowledge the alarm', async ({ night, app, world }) => {
  const { admin, id } = night;
  const path = pathOf(world.sent[0]?.answer?.link);
  expect((await send(app, path, 'confirm')).body).toContain('still open');
  expect((await admin.get(`/alarms/${id}`)).json()).toMatchObject({ state: 3 });
  const page = (await app.inject({ method: 'GET', url: path })).body;
  expect(page).toContain('value="take"');
  expect(page).not.toContain('value="confirm"');
});

test('a link that is forged, truncated or old is refused', async ({ night, runtime, app, clock, world }) => {
  const { admin, id } = night;
  const path = pathOf(world.sent[0]?.answer?.link);
  const [claim = '', signature = ''] = (path.split('/').at(-1) ?? '').split('.');
  const other = Buffer.from(Buffer.from(claim, 'base64url').toString().replace(/1$/, '2')).toString(
    'base64url',
  );
  const forged = [
    path.slice(0, -3),
    `/answer/${other}.${signature}`,
    '/answer/x',
    `/answer/${'x'.repeat(400)}`,
  ];
  for (const url of forged) {
    expect((await app.inject({ method: 'GET', url })).statusCode).toBe(404);
    expect((await send(app, url, 'take')).statusCode).toBe(404);
  }
  expect((await send(app, path, 'dance')).statusCode).toBe(400);
  clock.advance(13 * 3_600);
  expect((await send(app, path, 'take')).statusCode).toBe(410);
  expect((await admin.get(`/alarms/${id}`)).json()).toMatchObject({ state: 3 });
  expect(await answersOf(runtime)).toEqual([{ method: 'link', intent: 'take', judgement: 'stale' }]);
});

test('guessing codes does not lock the link', async ({ night, app, world, report }) => {
  const { admin, id } = night;
  const { attemptId, answer } = sentOf(world);
  for (let guess = 0; guess < 6; guess += 1)
    await report({ attemptId, reference: '', event: 'digits', digits: 'x' });
  expect((await send(app, pathOf(answer?.link), 'take')).statusCode).toBe(200);
  expect((await admin.get(`/alarms/${id}`)).json()).toMatchObject({ state: 1, ackUser: 'Ada' });
});

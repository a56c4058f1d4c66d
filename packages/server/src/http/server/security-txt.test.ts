import { expect } from 'vitest';
import { buildApp } from '../../app.ts';
import { test } from '../../testing/plant.fixture.ts';
import { notAuthenticated } from '../authorization.ts';
import { type Disclosure, securityTxt } from './security-txt.ts';

const nobody = async () => {
  throw notAuthenticated('unknown token');
};

const settings = {
  securityContact: ['mailto:security@plant.example', 'https://plant.example/report'],
  securityPolicyUrl: 'https://plant.example/security',
  securityLanguages: ['fr', 'en'],
  publicUrl: 'https://alarms.plant.example/alertws',
};
const at = (now: string): Disclosure => ({ ...settings, now: () => new Date(now) });

test('security.txt is readable without a token, at the root and under the prefix', async ({
  runtime,
  clock,
}) => {
  const disclosure = { ...settings, now: clock.now };
  const app = buildApp(runtime, nobody, { basePath: '/alertws', reference: false, disclosure });
  for (const url of ['/.well-known/security.txt', '/alertws/.well-known/security.txt']) {
    const answer = await app.inject({ url, headers: { host: 'evil.example' } });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.body.split('\n')).toEqual([
      'Contact: mailto:security@plant.example',
      'Contact: https://plant.example/report',
      'Expires: 2026-08-28T00:00:00.000Z',
      'Preferred-Languages: fr, en',
      'Canonical: https://alarms.plant.example/.well-known/security.txt',
      'Policy: https://plant.example/security',
      '',
    ]);
  }
  await app.close();
});

test('the file never expires today, and always within a year', () => {
  for (const now of ['2026-01-01T00:00:00Z', '2028-02-29T23:59:59.999Z']) {
    const [, expires = ''] = /^Expires: (.*)$/m.exec(securityTxt(at(now))) ?? [];
    const days = (Date.parse(expires) - Date.parse(now)) / 86_400_000;
    expect(days).toBeGreaterThan(178);
    expect(days).toBeLessThan(365);
  }
});

test('optional fields are omitted, and without a contact there is no file', async ({ runtime }) => {
  const bare = {
    ...at('2026-03-01T06:00:00Z'),
    securityPolicyUrl: undefined,
    publicUrl: 'http://10.0.0.7:8080',
  };
  expect(securityTxt(bare)).not.toMatch(/Canonical|Policy/);
  const app = buildApp(runtime, nobody, { basePath: '', reference: false });
  const answer = await app.inject('/.well-known/security.txt');
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ code: 'not-found' });
  await app.close();
});

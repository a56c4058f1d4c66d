import { expect, test } from 'vitest';
import { createLog } from './log.ts';

test('secrets and phone numbers are not logged, at any depth', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  log.info(
    {
      password: 'hunter2',
      headers: { authorization: 'Bearer hunter2', cookie: 'hunter2' },
      user: { name: 'Ada', medium: { address: 'hunter2' } },
      answer: { access_token: 'hunter2', refreshToken: 'hunter2' },
    },
    'something happened',
  );
  const refused = Object.assign(new Error('duplicate key'), {
    detail: 'Key (phone)=(hunter2) already exists',
  });
  log.error({ err: refused }, 'request failed');
  expect(lines.join('')).not.toContain('hunter2');
  expect(lines.join('')).toContain('Ada');
  expect(lines.join('')).toContain('duplicate key');
});

test('lines below the level are not written', () => {
  const lines: string[] = [];
  createLog('warn', { write: (line) => lines.push(line) }).info('quiet');
  expect(lines).toEqual([]);
});

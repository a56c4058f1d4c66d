import { describe, expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

const lindasHash = await hashPassword('Liñda keeps the pumps running');

test('a password is stored as Argon2id with its cost, salt and hash written out', () => {
  expect(lindasHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
});

test('the same password never gives the same hash twice', async () => {
  expect(await hashPassword('Liñda keeps the pumps running')).not.toBe(lindasHash);
});

describe('Linda logs in', () => {
  test.for([
    ['with the right password', 'Liñda keeps the pumps running', true],
    [
      'with the right password from a keyboard that composes letters',
      'Lin\u0303da keeps the pumps running',
      true,
    ],
    ['with another case', 'liñda keeps the pumps running', false],
    ['with something after it', 'Liñda keeps the pumps running ', false],
    ['with a NUL after it', 'Liñda keeps the pumps running\u0000', false],
    ['with nothing', '', false],
  ] as const)('%s', async ([, password, matches]) => {
    expect(await verifyPassword(password, lindasHash)).toBe(matches);
  });
});

test('a hash made with another cost, elsewhere, is still understood', async () => {
  // From the reference implementation: `echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32`
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  expect(await verifyPassword('password', hash)).toBe(true);
  expect(await verifyPassword('passwore', hash)).toBe(false);
});

test.for([null, undefined])('a user without a password cannot log in: %s', async (hash) => {
  expect(await verifyPassword('', hash)).toBe(false);
});

async function medianTime(hash: string | null): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 9; n++) {
    const start = performance.now();
    await verifyPassword('wrong', hash);
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[4] ?? 0;
}

test('an unknown name takes as long as a known one', async () => {
  const [known, unknown] = [await medianTime(lindasHash), await medianTime(null)];
  expect(unknown / known).toBeGreaterThan(0.5);
  expect(unknown / known).toBeLessThan(2);
});

test('a malformed stored hash is an error, not a wrong password', async () => {
  await expect(verifyPassword('x', 'plaintext')).rejects.toThrow('PHC');
});

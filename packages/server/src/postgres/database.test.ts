import { expect, test } from 'vitest';
import { isConnectionFailure } from './database.ts';

const failure = (message: string, code?: string) => Object.assign(new Error(message), code ? { code } : {});

test('the error code takes precedence over the error message', () => {
  expect(isConnectionFailure(failure('canceling statement due to lock timeout', '55P03'))).toBe(false);
  expect(isConnectionFailure(failure('canceling statement due to statement timeout', '57014'))).toBe(false);
  expect(isConnectionFailure(failure('terminating connection due to administrator command', '57P01'))).toBe(
    true,
  );
  expect(isConnectionFailure(failure('connect ECONNREFUSED', 'ECONNREFUSED'))).toBe(true);
  expect(isConnectionFailure(failure('Query read timeout'))).toBe(true);
  expect(isConnectionFailure(failure('Connection terminated unexpectedly'))).toBe(true);
});

test('a read-only server counts as a failed connection', () => {
  expect(isConnectionFailure(failure('cannot execute INSERT in a read-only transaction', '25006'))).toBe(
    true,
  );
});

import { expect, test } from 'vitest';
import { variableOf } from './setting.ts';

test('variables are named after their setting', () => {
  expect(variableOf('intakeLimitPerSecond')).toBe('INTAKE_LIMIT_PER_SECOND');
});

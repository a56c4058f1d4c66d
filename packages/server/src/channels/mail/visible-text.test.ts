import { expect, test } from 'vitest';
import { visibleText } from './visible-text.ts';

test('quoted text and signatures are not what a person has written', () => {
  expect(visibleText('ok\n\n> no\n')).toBe('ok');
  expect(visibleText('On Monday Ada wrote:\n> Pump 3\n\nok')).toContain('ok');
  expect(visibleText('ok\n\n-- \nAda Byron, shift B')).toBe('ok');
});

test.for(['\n', '\r\n', '\n ', '\n\t\n', '\n\u00a0'])('a mail with thousands of %j takes no time', (gap) => {
  const started = performance.now();
  expect(visibleText(`ok${gap.repeat(3_900)}more`)).toMatch(/^ok\s+more$/);
  expect(performance.now() - started).toBeLessThan(500);
});

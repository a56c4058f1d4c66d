import { expect, test } from 'vitest';
import { ok } from './finding.ts';
import { runChecks } from './run-checks.ts';

test('a check that hangs or fails is an error of its own, and the others end', async () => {
  const findings = await runChecks(
    [
      { name: 'nats', run: () => new Promise<never>(() => {}) },
      {
        name: 'disk',
        run: () => {
          throw new Error('no such device');
        },
      },
      { name: 'tls', run: () => [ok('tls', 'The certificate is valid')] },
    ],
    50,
  );
  expect(findings.map(({ severity, name, message }) => `${severity} ${name}: ${message}`)).toEqual([
    'error nats.examination: This part could not be examined: timeout after 0.05 s',
    'error disk.examination: This part could not be examined: no such device',
    'ok tls: The certificate is valid',
  ]);
});

import { expect, test } from 'vitest';
import { error, ok, warning } from './finding.ts';
import { exitCodeOf, jsonReport, textReport } from './report.ts';

const channel = error('channels.down', 'Channel Mail does not work:\n  no answer', 'disable it');
const secret = warning('files.readable-by-others', 'The key can be read by others', 'chmod o= key');
const settings = ok('settings', 'All settings are valid');

test('each finding has one line, under its group, with what to do', () => {
  expect(textReport([channel, secret, settings])).toBe(`settings
  ok       settings  All settings are valid
files
  warning  files.readable-by-others  The key can be read by others. To do: chmod o= key
channels
  error    channels.down  Channel Mail does not work: no answer. To do: disable it

1 error, 1 warning, 1 in order
`);
});

test('scripts read the same as JSON', () => {
  expect(JSON.parse(jsonReport([secret, settings]))).toEqual({
    healthy: true,
    errors: 0,
    warnings: 1,
    findings: [settings, secret],
  });
});

test('errors fail, and warnings only if the caller is strict', () => {
  expect([channel, secret, settings].map((one) => exitCodeOf([one], { strict: false }))).toEqual([1, 0, 0]);
  expect([channel, secret, settings].map((one) => exitCodeOf([one], { strict: true }))).toEqual([1, 3, 0]);
});

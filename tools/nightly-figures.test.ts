import { expect, test } from 'vitest';
import { figuresOf } from './nightly-figures.ts';
import { nightlySteps, smallStep } from './nightly-steps.ts';

test('the figures of a benchmark are listed with their goals', () => {
  const figures = [
    { name: 'alarms', value: 5_120, unit: '/s', goal: { atLeast: 5_000 } },
    { name: 'p99', value: 80, unit: 'ms', goal: { atMost: 50 } },
    { name: 'clients', value: 32, unit: '' },
  ];
  const output = `> bench\n${JSON.stringify({ benchmark: 'ingest', figures }, null, 2)}\np99: 80 ms\n`;
  expect(figuresOf(output)).toEqual([
    'alarms: 5,120 /s (goal ≥ 5000 /s) reached',
    'p99: 80.00 ms (goal ≤ 50 ms) MISSED',
    'clients: 32.00',
  ]);
});

test('a scenario lists its output and the number of passed tests', () => {
  const output = [
    ' RUN  v5',
    '',
    'stdout | acceptance/scenarios/x.test.ts > nobody is forgotten',
    'first call p99: 812 ms',
    'seed 1: fine',
    '',
    ' Test Files  1 passed (1)',
    '      Tests  1 passed (1)',
  ].join('\n');
  expect(figuresOf(output)).toEqual(['first call p99: 812 ms', 'seed 1: fine', 'Tests 1 passed (1)']);
});

test('a small step keeps everything that its small form does not change', () => {
  const steps = nightlySteps(['ingest'], 7);
  expect(steps.map(({ name }) => name)).toContain('properties, PROPERTY_SEED=7');
  for (const step of steps) expect(smallStep(step).environment).toMatchObject(step.small.environment ?? {});
  const [, storm] = steps;
  expect(storm && smallStep(storm)).toMatchObject({ args: storm?.args, environment: { STORM_CASES: '5' } });
});

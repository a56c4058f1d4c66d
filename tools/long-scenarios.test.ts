import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { leftOut, longScenarios } from './long-scenarios.ts';
import { nightlySteps } from './nightly-steps.ts';

test('three samples run each long scenario once', () => {
  const run = [6, 7, 8].flatMap((seed) => {
    const left = new Set(leftOut(seed));
    return longScenarios.filter((name) => !left.has(name));
  });
  expect(run.toSorted()).toEqual(longScenarios.toSorted());
});

test('each long scenario exists, and the night runs all of them', async () => {
  const files = await readdir(new URL('../acceptance/scenarios/', import.meta.url));
  expect(files).toEqual(expect.arrayContaining(longScenarios.map((name) => `${name}.test.ts`)));
  const atNight = nightlySteps([], 1).flatMap(({ args: [script, , ...parts] }) =>
    script === 'acceptance' ? parts : [],
  );
  const missed = longScenarios.filter(
    (name) => !atNight.some((part) => `scenarios/${name}.test.ts`.includes(part)),
  );
  expect(missed).toEqual([]);
});

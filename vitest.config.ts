import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { timesAreJudged } from './acceptance/harness/judged-times.ts';
import { LongTestsFirst } from './tools/long-tests-first.ts';

/** Resolves packages to their sources, so that tests need no build. */
const resolve = { conditions: ['source'] };

const acceptance = {
  globalSetup: ['acceptance/harness/setup.ts'],
  setupFiles: ['tools/processor-time.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A file alone where durations are judged. Elsewhere three share two cores, because most of them wait most of the time.
  maxWorkers: timesAreJudged ? 1 : 3,
  fileParallelism: !timesAreJudged,
  // Concurrent stories share a server, because they wait most of the time.
  maxConcurrency: 24,
};

export default defineConfig({
  resolve,
  ssr: { resolve },
  environments: { __vitest__: { resolve } },
  test: {
    // Polled conditions are met at once on a quiet machine; the rest is for a busy one.
    expect: { poll: { timeout: 10_000 } },
    sequence: { sequencer: LongTestsFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'tools/**/*.test.ts', 'acceptance/harness/**/*.test.ts'],
          globalSetup: ['tools/unit-setup.ts'],
          setupFiles: ['tools/property-seed.ts', 'tools/processor-time.ts'],
          // A worker waits for PostgreSQL half of the time: with one for each core a quarter of the cores is idle.
          maxWorkers: availableParallelism() + 1,
          // Test files share the modules of their worker, because loading the server again for each costs more than its tests.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { ...acceptance, name: 'acceptance', include: ['acceptance/scenarios/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          ...acceptance,
          name: 'habits',
          include: ['acceptance/scenarios/conformance/*.test.ts'],
          env: { CLIENT_HABITS: '1' },
        },
      },
      {
        extends: true,
        test: {
          name: 'packaging',
          include: ['acceptance/packaging/*.test.ts'],
          globalSetup: ['acceptance/packaging/setup.ts'],
          // One after the other: each builds an installation, which uses both cores.
          fileParallelism: false,
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
});

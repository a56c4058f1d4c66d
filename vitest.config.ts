import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Packages are found by their sources: nothing needs to be built for tests. */
const resolve = { conditions: ['source'] };

const acceptance = {
  globalSetup: ['acceptance/harness/setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
  fileParallelism: false,
  // Stories that say so run side by side on one server: most of their time they wait.
  maxConcurrency: 24,
};

export default defineConfig({
  resolve,
  ssr: { resolve },
  environments: { __vitest__: { resolve } },
  test: {
    // What is waited for comes at once on a quiet machine; a busy one is given time.
    expect: { poll: { timeout: 10_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'tools/**/*.test.ts', 'acceptance/harness/**/*.test.ts'],
          globalSetup: ['tools/unit-setup.ts'],
          setupFiles: ['tools/property-seed.ts'],
          // A worker waits for PostgreSQL half of its time, so one less than there are cores leaves a core idle.
          maxWorkers: Math.max(2, availableParallelism()),
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
    ],
  },
});

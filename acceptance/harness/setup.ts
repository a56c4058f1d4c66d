import type { TestProject } from 'vitest/node';
import { startCluster } from '../../tools/postgres-cluster.ts';
import { openRunFolder } from '../../tools/run-folder.ts';
import { bundlePrograms } from './bundle-programs.ts';
import { makeTemplate } from './database.ts';
import { timesAreJudged } from './judged-times.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL that flushes to disk as in production, with the template `tocsin_template`. */
    durableClusterUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const closeRun = openRunFolder({ inMemory: !timesAreJudged });
  const bundle = await bundlePrograms();
  process.env['SERVER_PROGRAM'] = bundle.server;
  process.env['COMMAND_LINE_PROGRAM'] = bundle.commandLine;
  const cluster = await startCluster({ durable: true });
  await makeTemplate(cluster.url());
  project.provide('durableClusterUrl', cluster.url());
  return async () => {
    await cluster.stop();
    await bundle.remove();
    await closeRun();
  };
}

import { migrate } from '@tocsin/server/testing';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startCluster } from './postgres-cluster.ts';
import { openRunFolder } from './run-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the cluster whose database `tocsin_template` every test clones. */
    clusterUrl: string;
  }
}

/**
 * One PostgreSQL for the whole run, with a migrated template database. It has a synchronous standby that never answers, so
 * that commits wait in a database whose `synchronous_commit` a test turns on.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const closeRun = openRunFolder({ inMemory: true });
  const cluster = await startCluster({ settings: ['synchronous_standby_names=nobody'] });
  const admin = new pg.Client({ connectionString: cluster.url() });
  await admin.connect();
  await admin.query('create database tocsin_template');
  await admin.end();
  await migrate(cluster.url('tocsin_template'), { allowSuperuser: true });
  project.provide('clusterUrl', cluster.url());
  return async () => {
    await cluster.stop();
    await closeRun();
  };
}

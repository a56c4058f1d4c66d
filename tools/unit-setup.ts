import { migrate } from '@tocsin/server/testing';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startCluster } from './postgres-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the cluster whose database `tocsin_template` every test clones. */
    clusterUrl: string;
  }
}

/** One PostgreSQL for the whole run, with a migrated template database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  const admin = new pg.Client({ connectionString: cluster.url() });
  await admin.connect();
  await admin.query('create database tocsin_template');
  await admin.end();
  await migrate(cluster.url('tocsin_template'));
  project.provide('clusterUrl', cluster.url());
  return () => cluster.stop();
}

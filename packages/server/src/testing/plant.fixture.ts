import pg from 'pg';
import { pino } from 'pino';
import { test as base, inject } from 'vitest';
import { createTenant } from '../people/create-tenant.ts';
import { openDatabase } from '../postgres/database.ts';
import type { Runtime } from '../postgres/runtime.ts';
import { testBox } from './test-box.ts';

/** A clock that stands still until it is told to move. */
export class FakeClock {
  #now: Date;

  constructor(start: string) {
    this.#now = new Date(start);
  }

  readonly now = (): Date => this.#now;

  advance(seconds: number): void {
    this.#now = new Date(this.#now.getTime() + seconds * 1_000);
  }

  set(instant: string): void {
    this.#now = new Date(instant);
  }
}

/** A database of the test's own, cloned from the migrated template. */
export async function cloneDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const clusterUrl = inject('clusterUrl');
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = async (statement: string) => {
    const client = new pg.Client({ connectionString: clusterUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await admin(`create database ${name} template tocsin_template strategy file_copy`);
  return {
    url: clusterUrl.replace(/\/postgres$/, `/${name}`),
    drop: () => admin(`drop database ${name} with (force)`),
  };
}

/**
 * A real, migrated database with one tenant (id 1: station 1 in Europe/Paris, data server 1 "PLC"), whose clock is
 * the test's.
 */
export async function openPlant(clock: FakeClock): Promise<{ runtime: Runtime; close: () => Promise<void> }> {
  const { url, drop } = await cloneDatabase();
  const database = openDatabase({ url, connections: 8, clock: clock.now });
  const runtime = { database, log: pino({ level: 'silent' }), box: testBox };
  await createTenant(runtime, {
    name: 'Valmont Water',
    station: 'Valmont',
    timeZone: 'Europe/Paris',
    dataServer: 'PLC',
  });
  const close = async () => {
    await database.close();
    await drop();
  };
  return { runtime, close };
}

/** `test` with a plant of its own and a clock that stands still. */
export const test = base
  .extend('clock', () => new FakeClock('2026-03-01T06:00:00Z'))
  .extend('runtime', async ({ clock }, { onCleanup }): Promise<Runtime> => {
    const { runtime, close } = await openPlant(clock);
    onCleanup(close);
    return runtime;
  });

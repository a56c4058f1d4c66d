import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cloneDatabase } from '../testing/plant.fixture.ts';
import { type Database, isConnectionFailure, openDatabase } from './database.ts';

const failure = (message: string, code?: string) => Object.assign(new Error(message), code ? { code } : {});

test('the error code takes precedence over the error message', () => {
  expect(isConnectionFailure(failure('canceling statement due to lock timeout', '55P03'))).toBe(false);
  expect(isConnectionFailure(failure('canceling statement due to statement timeout', '57014'))).toBe(false);
  expect(isConnectionFailure(failure('terminating connection due to administrator command', '57P01'))).toBe(
    true,
  );
  expect(isConnectionFailure(failure('connect ECONNREFUSED', 'ECONNREFUSED'))).toBe(true);
  expect(isConnectionFailure(failure('Query read timeout'))).toBe(true);
  expect(isConnectionFailure(failure('Connection terminated unexpectedly'))).toBe(true);
});

test('a read-only server counts as a failed connection', () => {
  expect(isConnectionFailure(failure('cannot execute INSERT in a read-only transaction', '25006'))).toBe(
    true,
  );
});

test('an alarm after twelve quiet seconds needs no new connection', { timeout: 30_000 }, async () => {
  const { url, drop } = await cloneDatabase();
  const database = openDatabase({ url, connections: 2 });
  try {
    const before = await processesOf(database);
    await sleep(quietMs);
    expect(await processesOf(database)).toEqual(before);
  } finally {
    await database.close();
    await drop();
  }
});

/** Longer than the ten seconds after which a pool of `pg` closes idle connections unless told otherwise. */
const quietMs = 12_000;

/** The processes of PostgreSQL behind the connections for requests and for alarms. */
async function processesOf({ pool, alarmPool }: Database): Promise<number[]> {
  const processOf = async (one: Database['pool']) => {
    const { rows } = await one.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows.map(({ pid }) => pid);
  };
  return (await Promise.all([pool, alarmPool].map(processOf))).flat();
}

import { expect, test } from 'vitest';
import { readConfig } from '../settings/config.ts';
import type { DatabaseState } from './database-state.store.ts';
import { connectionsOf, judgeDatabase } from './judge-database.ts';

const config = readConfig({ DATABASE_URL: 'postgres://tocsin@localhost/tocsin' });
const healthy: DatabaseState = {
  version: '15.20',
  versionNumber: 150_020,
  encoding: 'UTF8',
  fsync: true,
  fullPageWrites: true,
  synchronousCommit: 'on',
  standbyNames: '',
  standbys: 0,
  maxConnections: 97,
  databaseLimit: -1,
  loginLimit: -1,
  idleSessionMs: 0,
  login: 'tocsin_server',
  bytes: 0,
};
const namesOf = (state: Partial<DatabaseState>) =>
  judgeDatabase({ ...healthy, ...state }, config).map(({ name }) => name);

test('PostgreSQL 15 with its own settings is in order', () => {
  expect(namesOf({})).toEqual([]);
});

test('PostgreSQL 14 is too old', () => {
  expect(judgeDatabase({ ...healthy, version: '14.19', versionNumber: 140_019 }, config)).toEqual([
    {
      severity: 'error',
      name: 'database.version',
      message: 'PostgreSQL 14.19 is too old',
      remedy: 'upgrade it to version 15 or later',
    },
  ]);
});

test.for(['local', 'remote_write'])(
  'with a standby, a commit that does not wait for its disk (%s) can be lost',
  (synchronousCommit) => {
    expect(namesOf({ synchronousCommit })).toEqual([]);
    expect(namesOf({ synchronousCommit, standbyNames: 'db2', standbys: 1 })).toEqual([
      'database.synchronous-commit',
    ]);
  },
);

test('the connections of alarms and calls count besides those of the setting', () => {
  expect(connectionsOf(config)).toBe(18);
  expect(connectionsOf({ ...config, roles: ['api', 'hub'] })).toBe(14);
  expect(namesOf({ maxConnections: 18 })).toEqual([]);
  expect(namesOf({ maxConnections: 17 })).toEqual(['database.connections']);
});

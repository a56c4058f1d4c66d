import { reservedConnections } from '../postgres/database.ts';
import type { Config } from '../settings/config.ts';
import type { DatabaseState } from './database-state.store.ts';
import { error, type Finding, warning } from './finding.ts';

const oldestVersion = 15;

/** What is wrong with the settings of PostgreSQL. */
export function judgeDatabase(state: DatabaseState, config: Config): Finding[] {
  return [
    ...judgeVersion(state),
    ...judgeDurability(state),
    ...judgeStandby(state),
    ...judgeConnections(state, config),
    ...judgeIdleTimeout(state),
  ];
}

function judgeVersion({ version, versionNumber, encoding }: DatabaseState): Finding[] {
  const found: Finding[] = [];
  if (versionNumber < oldestVersion * 10_000)
    found.push(
      error(
        'database.version',
        `PostgreSQL ${version} is too old`,
        `upgrade it to version ${oldestVersion} or later`,
      ),
    );
  if (encoding !== 'UTF8')
    found.push(
      error(
        'database.encoding',
        `The database has the encoding ${encoding}: texts of alarms would be damaged or refused`,
        "create a database with encoding 'UTF8' (create-database.sh does), and restore the dump into it",
      ),
    );
  return found;
}

/** A 200 promises that the alarm survives a power cut, and with a standby the loss of a machine. */
function judgeDurability(state: DatabaseState): Finding[] {
  const { fsync, fullPageWrites, synchronousCommit, standbyNames } = state;
  const found: Finding[] = [];
  const inFile = (setting: string) =>
    `set ${setting} = on in postgresql.conf, and reload PostgreSQL (\`select pg_reload_conf()\`)`;
  if (!fsync)
    found.push(
      error(
        'database.fsync',
        'fsync is off: a power cut loses alarms or the whole database',
        inFile('fsync'),
      ),
    );
  if (!fullPageWrites)
    found.push(
      error(
        'database.full-page-writes',
        'full_page_writes is off: a power cut can damage the database',
        inFile('full_page_writes'),
      ),
    );
  const loses = standbyNames === '' ? ['off'] : ['off', 'local', 'remote_write'];
  if (loses.includes(synchronousCommit))
    found.push(
      error(
        'database.synchronous-commit',
        `synchronous_commit is ${synchronousCommit}: alarms that were answered with 200 can be lost`,
        'set synchronous_commit = on in postgresql.conf, and remove other values (`alter database … reset`, `alter role … reset`)',
      ),
    );
  return found;
}

function judgeStandby({ standbyNames, standbys }: DatabaseState): Finding[] {
  if (standbyNames === '' || standbys > 0) return [];
  return [
    error(
      'database.standby',
      `Commits wait for a standby (synchronous_standby_names = ${standbyNames}), and none is connected: no alarm is accepted`,
      'start the standby, or another one',
    ),
  ];
}

/** The most connections that this server opens. */
export function connectionsOf({ databaseConnections, alarmConnections, roles }: Config): number {
  const dispatch = roles.includes('dispatch') ? reservedConnections.dispatch : 0;
  return databaseConnections + alarmConnections + dispatch;
}

function judgeConnections(state: DatabaseState, config: Config): Finding[] {
  const { maxConnections, databaseLimit, loginLimit, login } = state;
  const needed = connectionsOf(config);
  const limits = [
    { limit: maxConnections, of: 'PostgreSQL', raise: 'raise max_connections, and restart PostgreSQL' },
    {
      limit: databaseLimit,
      of: 'the database',
      raise: `run \`alter database … connection limit ${needed}\` or more`,
    },
    {
      limit: loginLimit,
      of: `the role ${login}`,
      raise: `run \`alter role ${login} connection limit ${needed}\` or more`,
    },
  ];
  const tight = limits.find(({ limit }) => limit >= 0 && limit < needed);
  if (tight === undefined) return [];
  const message = `This server opens up to ${needed} connections, and ${tight.of} accepts ${tight.limit}`;
  return [error('database.connections', message, `${tight.raise}, or lower DATABASE_CONNECTIONS`)];
}

function judgeIdleTimeout({ idleSessionMs, login }: DatabaseState): Finding[] {
  if (idleSessionMs === 0) return [];
  return [
    warning(
      'database.idle-timeout',
      `idle_session_timeout is ${idleSessionMs} ms: PostgreSQL ends the connections that the server keeps`,
      `run \`alter role ${login} set idle_session_timeout = 0\``,
    ),
  ];
}

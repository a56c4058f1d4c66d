import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../../common/command-error.ts';
import { type Child, runToEnd, startChild } from '../folder/child-process.ts';
import { type DemoFolder, isRunning } from '../folder/demo-folder.ts';
import { findPort, host } from '../folder/find-port.ts';
import { findPostgres, installPostgres } from './postgres-binaries.ts';
import { type ProcessUser, postgresUser, requireOpenFolders } from './unprivileged-user.ts';

/** A running PostgreSQL with the database of the demo. */
export type Postgres = {
  /** Of the packaged programs, such as `18.4.0-beta.17`. */
  readonly version: string;
  /** The role that owns the tables. */
  readonly ownerUrl: string;
  /** The role of the server. */
  readonly serverUrl: string;
  readonly child: Child;
  stop(): Promise<void>;
};

type Place = { readonly bin: string; readonly data: string; readonly user: ProcessUser | undefined };

/** A port where neither a usual PostgreSQL nor outgoing connections are. */
const preferredPort = 15_432;
const stopMs = 20_000;

/** Starts PostgreSQL in the folder of the demo; the first time it makes the database. */
export async function openPostgres(folder: DemoFolder): Promise<Postgres> {
  const packaged = findPostgres(`${process.platform}-${process.arch}`);
  const user = postgresUser(process.getuid?.(), existsSync('/etc/passwd') ? passwd() : '');
  if (user) requireOpenFolders(join(folder.path, 'postgres'), user);
  const programs = installPostgres(packaged, folder.path);
  const place = { bin: join(programs, 'bin'), data: join(folder.path, 'postgres', 'data'), user };
  if (!existsSync(join(place.data, 'tocsin-is-ready'))) await makeDatabase(folder, place);
  refuseSecondServer(place);
  const port = await findPort(preferredPort);
  const child = startChild({
    name: 'PostgreSQL',
    command: join(place.bin, 'postgres'),
    args: ['-D', place.data, ...settings(port)],
    logFile: join(folder.path, 'postgres.log'),
    options: optionsFor(place),
  });
  await child.says('ready to accept connections');
  const urlOf = (role: string) => `postgres://${role}:${passwordOf(folder, role)}@${host}:${port}/tocsin`;
  return {
    version: packaged.version,
    ownerUrl: urlOf('tocsin_owner'),
    serverUrl: urlOf('tocsin_server'),
    child,
    // SIGINT is its fast shutdown: it ends connections, and writes everything.
    stop: () => child.stop('SIGINT', stopMs),
  };
}

const passwd = () => readFileSync('/etc/passwd', 'utf8');

/** Only characters that a URL and a text of SQL take as they are. */
const passwordOf = (folder: DemoFolder, role: string) =>
  Buffer.from(folder.secret(`${role}.password`), 'base64').toString('hex');

const settings = (port: number) =>
  [
    `port=${port}`,
    `listen_addresses=${host}`,
    'unix_socket_directories=',
    'max_connections=60',
    'shared_buffers=64MB',
    'log_timezone=UTC',
  ].flatMap((setting) => ['-c', setting]);

function optionsFor({ data, user }: Place) {
  const folder = join(data, '..');
  const env = { LC_ALL: 'C', PATH: '', HOME: folder };
  return { cwd: folder, env, ...(user && { uid: user.uid, gid: user.gid }) };
}

/** A PostgreSQL that outlived its demo would write to the same files. */
function refuseSecondServer({ data }: Place): void {
  const file = join(data, 'postmaster.pid');
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
  if (isRunning(pid))
    throw new CommandError(
      `The PostgreSQL of an earlier demo still runs (process ${pid}): the demo was killed. End it with: kill -INT ${pid}`,
    );
}

/** Makes the files of PostgreSQL, the roles and the database. A half-finished one is made again. */
async function makeDatabase(folder: DemoFolder, place: Place): Promise<void> {
  const around = join(place.data, '..');
  rmSync(around, { recursive: true, force: true });
  mkdirSync(around, { mode: 0o700 });
  if (place.user) {
    chmodSync(folder.path, 0o711);
    chownSync(around, place.user.uid, place.user.gid);
  }
  const passwordFile = join(around, 'superuser.password');
  writeFileSync(passwordFile, passwordOf(folder, 'postgres'), { mode: 0o600 });
  if (place.user) chownSync(passwordFile, place.user.uid, place.user.gid);
  const options = optionsFor(place);
  await runToEnd(join(place.bin, 'initdb'), initArguments(place.data, passwordFile), options);
  rmSync(passwordFile);
  // Without a server: the package has no psql, and nobody can connect in the meantime.
  const told = await runToEnd(join(place.bin, 'postgres'), ['--single', '-D', place.data, 'postgres'], {
    ...options,
    input: `${statements(folder).join('\n')}\n`,
  });
  if (/^(ERROR|FATAL|PANIC):/m.test(told)) throw new CommandError(`The database was not made:\n${told}`);
  writeFileSync(join(place.data, 'tocsin-is-ready'), '');
}

const initArguments = (data: string, passwordFile: string) => [
  `--pgdata=${data}`,
  '--username=postgres',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth=scram-sha-256',
  `--pwfile=${passwordFile}`,
  '--no-sync',
];

/** The two roles of `create-database.sh`: only the owner changes tables, and the server sees one tenant at a time. */
function statements(folder: DemoFolder): string[] {
  const login = (role: string, rights = '') =>
    `create role ${role} login ${rights} password '${passwordOf(folder, role)}';`;
  return [
    'create role tocsin_app nologin;',
    'create role tocsin_cross_tenant nologin;',
    login('tocsin_owner', 'createrole'),
    login('tocsin_server'),
    'grant tocsin_app, tocsin_cross_tenant to tocsin_owner with admin option;',
    'grant tocsin_app to tocsin_server;',
    "create database tocsin owner tocsin_owner encoding 'UTF8' template template0;",
    'revoke all on database tocsin from public;',
    'grant connect on database tocsin to tocsin_server;',
  ];
}

import type { Logger } from 'pino';
import { createClockCheck } from '../dispatch/monitoring/check-clock.ts';
import { countSealed } from '../identity/tokens/installation-secrets.ts';
import { type Database, openDatabase } from '../postgres/database.ts';
import { isReadOnly, readOnlyFault } from '../postgres/readiness.ts';
import { explainDatabaseError, findLoginWarnings, findRoleFaults } from '../postgres/self-check.ts';
import type { Config } from '../settings/config.ts';
import { channelDependencies } from '../setup/channel-dependencies.ts';
import { findBox, lostKey } from '../setup/open-secret-box.ts';
import { createTelephony } from '../setup/open-telephony.ts';
import { checkChannels } from './check-channels.ts';
import { checkPeople, checkTimeZones } from './check-people.ts';
import { checkSpeech } from './check-programs.ts';
import { checkPartitions, checkSchema } from './check-schema.ts';
import { listUnprotectedTables, readDatabaseState } from './database-state.store.ts';
import { error, type Finding, ofFault, orOk } from './finding.ts';
import { judgeDatabase } from './judge-database.ts';
import { runChecks, within } from './run-checks.ts';
import { readTenantStates } from './tenant-state.store.ts';

/** Together less than 15 seconds, with the start of the process. */
const loginMs = 5_500;
const schemaMs = 2_000;
const examineMs = 6_000;
const connections = 4;

type Site = { readonly database: Database; readonly config: Config; readonly log: Logger; now(): Date };

/** Everything that needs the database. If it is away, there is one finding, with the reason. */
export async function checkDatabase(config: Config, log: Logger, now: () => Date): Promise<Finding[]> {
  const database = openDatabase({ url: config.databaseUrl, connections });
  const site = { database, config, log, now };
  try {
    const roles = await within(loginMs, () => checkRoles(site));
    const isServerRole = !roles.some(
      ({ severity, name }) => severity === 'error' && name === 'database.role',
    );
    const schema = isServerRole
      ? await runChecks([{ name: 'schema', run: () => checkSchema(database) }], schemaMs)
      : [];
    const canRead = isServerRole && !schema.some(({ name }) => unreadable.has(name));
    const more = await runChecks([...serverChecks(site), ...(canRead ? tenantChecks(site) : [])], examineMs);
    return [...roles, ...schema, ...more];
  } catch (thrown) {
    return [ofFault(explainDatabaseError(thrown))];
  } finally {
    // Not awaited: a server that hangs does not close its connections either.
    void database.close().catch(() => undefined);
  }
}

/** Without these tables nothing of the tenants can be read. */
const unreadable = new Set(['schema.empty', 'schema.behind', 'schema.examination']);

async function checkRoles({ database, config }: Site): Promise<readonly Finding[]> {
  const { allowSuperuserLogin } = config;
  const faults = await findRoleFaults(database, { allowSuperuserLogin });
  const warnings = allowSuperuserLogin ? [] : await findLoginWarnings(database);
  const found = [...faults.map((fault) => ofFault(fault)), ...warnings.map((one) => ofFault(one, 'warning'))];
  return orOk(found, 'database.role', 'The server runs as tocsin_app, and its login may do nothing else');
}

/** About PostgreSQL and the database as such. */
function serverChecks({ database, config }: Site) {
  return [
    {
      name: 'database',
      run: async () => {
        const state = await readDatabaseState(database);
        const megabytes = Math.round(state.bytes / 1_000_000);
        const message = `PostgreSQL ${state.version} keeps what it confirms; the tables have ${megabytes} MB`;
        return orOk(judgeDatabase(state, config), 'database', message);
      },
    },
    {
      name: 'database',
      run: async () =>
        (await isReadOnly(database.pool))
          ? [
              error(
                'database.read-only',
                readOnlyFault,
                'let DATABASE_URL name the primary, and remove default_transaction_read_only',
              ),
            ]
          : [],
    },
  ];
}

/** About the tables and what is in them. */
function tenantChecks(site: Site) {
  const { database, config, log, now } = site;
  const states = readTenantStates(database);
  // Each check that awaits it reports the failure.
  states.catch(() => undefined);
  return [
    { name: 'database', run: () => checkProtection(database) },
    { name: 'schema', run: () => checkPartitions(database) },
    { name: 'secrets', run: () => checkSecrets(site) },
    { name: 'clock', run: () => checkClock(site) },
    { name: 'clock', run: async () => checkTimeZones(await states) },
    { name: 'people', run: async () => checkPeople(await states) },
    { name: 'programs', run: async () => checkSpeech(await states, config, log) },
    {
      name: 'channels',
      run: async () => {
        const telephony = createTelephony(config, log);
        const dependencies = channelDependencies(config, findBox(config), telephony);
        return checkChannels(await states, { dependencies, log, now });
      },
    },
  ];
}

async function checkProtection(database: Database): Promise<readonly Finding[]> {
  const tables = await listUnprotectedTables(database);
  const found =
    tables.length === 0
      ? []
      : [
          error(
            'database.row-level-security',
            `Row-level security is not forced on ${tables.join(', ')}: tenants could see each other`,
            'as the owner, run `alter table … enable row level security` and `alter table … force row level security`',
          ),
        ];
  return orOk(found, 'database.row-level-security', 'Row-level security separates the tenants');
}

async function checkSecrets({ database, config }: Site): Promise<readonly Finding[]> {
  const { sealed, unopened } = await countSealed({ database }, findBox(config));
  const found = unopened > 0 ? [ofFault(lostKey)] : [];
  return orOk(found, 'secrets', `This server can open all ${sealed} secrets of the installation`);
}

async function checkClock({ database, log, now }: Site): Promise<readonly Finding[]> {
  const clock = createClockCheck({ database, log }, now);
  await clock.run();
  const fault = clock.fault();
  const remedy = 'synchronize the clocks of both machines (chrony or systemd-timesyncd)';
  const found = fault === undefined ? [] : [error('clock.offset', fault, remedy)];
  return orOk(found, 'clock.offset', 'The clock agrees with that of the database');
}

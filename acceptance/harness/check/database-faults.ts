import { onTestFinished } from 'vitest';
import { freePort } from '../../../tools/postgres-cluster.ts';
import type { HealthySite } from './healthy-site.ts';
import type { PlantedFault } from './planted-fault.ts';

const hourMs = 3_600_000;
const reload = 'in postgresql.conf, and reload PostgreSQL';

/** A copy of the database, changed by these statements. */
const changed =
  (...statements: string[]) =>
  async (site: HealthySite) => ({ environment: await site.copy(...statements) });

const settingOf = (name: string, value: string) => async (site: HealthySite) => {
  await site.setting(name, value);
  return {};
};

/** Another login of the cluster. */
async function addLogin({ sql }: HealthySite, login: string, attributes = ''): Promise<void> {
  await sql(`create role ${login} login ${attributes}`);
  onTestFinished(async () => {
    await sql(`revoke all on database checked from ${login}`);
    await sql(`drop role ${login}`);
  });
  await sql(`grant connect on database checked to ${login}`);
}

/** A slot three days from now, so that nobody is on duty today. */
const rosterOfAnotherDay = [
  `insert into call_group_teams (tenant_id, call_group_id, id, name, user_ids)
   select tenant_id, call_group_id, 1, 'Team', array_agg(user_id) from call_group_members group by 1, 2`,
  `insert into roster_slots (tenant_id, call_group_id, position, team_id, day, start_minute, end_minute)
   select tenant_id, call_group_id, 1, 1, extract(isodow from now() + interval '3 days'), 0, 1440 from call_group_teams`,
];

/** Faults of the database, its schema and what is configured in it. */
export const databaseFaults: readonly PlantedFault[] = [
  {
    fault: 'a PostgreSQL that does not run',
    plant: async () => ({
      environment: { DATABASE_URL: `postgres://checked_server@127.0.0.1:${await freePort()}/checked` },
    }),
    names: ['database.unreachable'],
    message: /cannot be reached: .*ECONNREFUSED/,
    remedy: 'start PostgreSQL, or correct the host and port in DATABASE_URL',
  },
  {
    fault: 'a wrong password',
    plant: ({ environment: { DATABASE_URL = '' } }) => ({
      environment: { DATABASE_URL: DATABASE_URL.replace(/:[^:@]*@/, ':wrong@') },
    }),
    names: ['database.password'],
    message: /password authentication failed/,
    remedy: 'correct the user and password in DATABASE_URL',
  },
  {
    fault: 'a database that is not there',
    plant: ({ url }) => ({ environment: { DATABASE_URL: url('nowhere') } }),
    names: ['database.missing'],
    message: /"nowhere" does not exist/,
    remedy: 'create it with create-database.sh',
  },
  {
    fault: 'a login that may not become tocsin_app',
    plant: async (site) => {
      await addLogin(site, 'stranger');
      return { environment: { DATABASE_URL: site.url('checked', 'stranger') } };
    },
    names: ['database.grant'],
    message: /may not become tocsin_app/,
    remedy: 'run `grant tocsin_app to <user>`',
  },
  {
    fault: 'a login as a superuser',
    plant: ({ url }) => ({ environment: { DATABASE_URL: url('checked', 'postgres') } }),
    names: ['database.login', 'database.owner'],
    message: /would log in as postgres, a superuser/,
    remedy: 'log in as a role that may become tocsin_app and nothing else',
  },
  {
    fault: 'a login that owns the tables',
    plant: ({ url }) => ({ environment: { DATABASE_URL: url('checked', 'checked_owner') } }),
    names: ['database.owner'],
    severity: 'warning',
    message: /checked_owner can change the tables/,
    remedy: 'log in as a role that may become tocsin_app and nothing else',
  },
  {
    fault: 'a connection that keeps its login role, as behind a pooler',
    plant: ({ environment: { DATABASE_URL = '' } }) => ({
      environment: { DATABASE_URL: `${DATABASE_URL}?options=-c%20timezone%3DUTC` },
    }),
    names: ['database.role'],
    message: /would run as checked_server instead of tocsin_app/,
    remedy: 'remove `options` from DATABASE_URL',
  },
  {
    fault: 'a database to which every role may connect',
    plant: async (site) => {
      const copied = await site.copy();
      await site.sql(`grant connect on database ${new URL(copied.DATABASE_URL).pathname.slice(1)} to public`);
      return { environment: copied };
    },
    names: ['database.public'],
    severity: 'warning',
    message: /every role of the cluster may connect/,
    remedy: 'revoke all on database … from public',
  },
  {
    fault: 'a database that cannot hold every character, and is empty',
    plant: async ({ sql, url }) => {
      const made = `create database ascii owner checked_owner encoding 'SQL_ASCII' locale 'C' template template0`;
      await sql(made);
      onTestFinished(() => sql('drop database ascii with (force)'));
      await sql('revoke all on database ascii from public');
      await sql('grant connect on database ascii to checked_server');
      return { environment: { DATABASE_URL: url('ascii') } };
    },
    names: ['database.encoding', 'schema.empty'],
    message: /has the encoding SQL_ASCII/,
    remedy: "create a database with encoding 'UTF8'",
  },
  {
    fault: 'fsync is off',
    plant: settingOf('fsync', 'off'),
    names: ['database.fsync'],
    message: /a power cut loses alarms/,
    remedy: `set fsync = on ${reload}`,
  },
  {
    fault: 'full_page_writes is off',
    plant: settingOf('full_page_writes', 'off'),
    names: ['database.full-page-writes'],
    message: /a power cut can damage the database/,
    remedy: `set full_page_writes = on ${reload}`,
  },
  {
    fault: 'a synchronous standby that is away',
    plant: settingOf('synchronous_standby_names', 'db2'),
    names: ['database.standby'],
    message: /none is connected: no alarm is accepted/,
    remedy: 'start the standby',
  },
  {
    fault: 'synchronous_commit is off for the database',
    plant: async (site) => {
      const copied = await site.copy();
      await site.sql(
        `alter database ${new URL(copied.DATABASE_URL).pathname.slice(1)} set synchronous_commit = off`,
      );
      return { environment: copied };
    },
    names: ['database.synchronous-commit'],
    message: /alarms that were answered with 200 can be lost/,
    remedy: 'set synchronous_commit = on',
  },
  {
    fault: 'a database that refuses writes',
    plant: settingOf('default_transaction_read_only', 'on'),
    names: ['database.read-only'],
    message: /cannot be written to/,
    remedy: 'let DATABASE_URL name the primary',
  },
  {
    fault: 'a login with too few connections',
    plant: async ({ sql }) => {
      await sql('alter role checked_server connection limit 12');
      onTestFinished(() => sql('alter role checked_server connection limit -1'));
      return {};
    },
    names: ['database.connections'],
    message: /opens up to 18 connections, and the role checked_server accepts 12/,
    remedy: 'alter role checked_server connection limit 18',
  },
  {
    fault: 'a server with more connections than PostgreSQL',
    plant: () => ({ environment: { DATABASE_CONNECTIONS: '500' } }),
    names: ['database.connections'],
    message: /opens up to 508 connections, and PostgreSQL accepts 197/,
    remedy: 'raise max_connections',
  },
  {
    fault: 'a PostgreSQL that ends idle connections',
    plant: settingOf('idle_session_timeout', "'10min'"),
    names: ['database.idle-timeout'],
    severity: 'warning',
    message: /idle_session_timeout is 600000 ms/,
    remedy: 'alter role checked_server set idle_session_timeout = 0',
  },
  {
    fault: 'a table whose tenants are not separated',
    plant: changed('alter table stations no force row level security'),
    names: ['database.row-level-security'],
    message: /not forced on stations: tenants could see each other/,
    remedy: 'alter table … force row level security',
  },
  {
    fault: 'a database that lacks a migration',
    plant: changed("delete from migrations where name like '0002%'"),
    names: ['schema.behind'],
    message: /The database lacks 0002_plant\.sql/,
    remedy: 'run the `migrate` command',
  },
  {
    fault: 'a database of a newer release',
    plant: changed("insert into migrations (name, checksum) values ('9999_future.sql', '')"),
    names: ['schema.ahead'],
    severity: 'warning',
    message: /9999_future\.sql of a newer release: this server is too old/,
    remedy: 'upgrade this server',
  },
  {
    fault: 'a migration that was edited',
    plant: changed("update migrations set checksum = 'edited' where name like '0002%'"),
    names: ['schema.changed'],
    message: /migration 0002_plant\.sql was changed after it was applied/,
    remedy: 'restore its file',
  },
  {
    fault: 'no partition for the next month',
    plant: changed(
      `do $$ begin execute 'drop table journal_' || to_char(now() at time zone 'UTC' + interval '1 month', 'YYYY_MM'); end $$`,
    ),
    names: ['schema.partitions'],
    severity: 'warning',
    message: /There is no partition journal_\d{4}_\d\d/,
    remedy: 'run the `migrate` command',
  },
  {
    fault: 'a secrets key of another installation',
    plant: async (site) => ({
      environment: { SECRETS_KEY_FILE: await site.file('key', Buffer.alloc(32, 1).toString('base64')) },
    }),
    names: ['secrets.key', 'channels.unusable'],
    message: /sealed with a key that this server does not have/,
    remedy: 'Give it the SECRETS_KEY_FILE of the servers before it',
  },
  {
    fault: 'a clock that is an hour ahead',
    plant: () => ({ aheadMs: hourMs }),
    names: ['clock.offset'],
    // The offset is measured to half of a round trip, which is long beside other work.
    message: /3(599|600)\.\d s ahead of that of the database/,
    remedy: 'synchronize the clocks',
  },
  {
    fault: 'a time zone that nobody knows',
    plant: changed("update stations set time_zone = 'Europe/Atlantis'"),
    names: ['clock.time-zone'],
    message: /has the time zone Europe\/Atlantis/,
    remedy: 'choose another time zone for the station',
  },
  {
    fault: 'an owner that cannot log in to migrate',
    plant: ({ url }) => ({ environment: { MIGRATE_DATABASE_URL: url('checked', 'gone_owner') } }),
    names: ['schema.migration-login'],
    message: /could not be migrated: role "gone_owner" does not exist/,
    remedy: 'correct MIGRATE_DATABASE_URL',
  },
  {
    fault: 'a channel that has lost its secret',
    plant: changed('update channels set secrets = null'),
    names: ['channels.unusable'],
    message: /^Channel Hooks \(Webhook\) of tenant Tocsin cannot be used\. Its settings are not complete/,
    remedy: 'correct its settings in the console',
  },
  {
    fault: 'people without a channel',
    plant: changed('update channels set enabled = false'),
    names: ['channels.missing'],
    message: /have addresses for Webhook, and no enabled channel/,
    remedy: 'add or enable a channel for Webhook',
  },
  {
    fault: 'a call group without anybody who can be called',
    plant: changed('update user_media set enabled = false'),
    names: ['people.unreachable'],
    message: /Nobody of call group Night shift \(tenant Tocsin\) can be called/,
    remedy: 'add a member who is enabled and has an enabled, confirmed medium',
  },
  {
    fault: 'a roster in which nobody is on duty now',
    plant: changed(...rosterOfAnotherDay),
    names: ['people.roster-gap'],
    message: /Nobody of call group Night shift is on duty now until /,
    remedy: 'add a slot or an override to the roster',
  },
  {
    fault: 'a tenant without an administrator',
    plant: changed("update users set enabled = false where role = 'admin'"),
    names: ['people.administrator'],
    message: /Tenant Tocsin has no enabled administrator/,
    remedy: 'enable an administrator',
  },
  {
    fault: 'an installation that nobody has set up',
    plant: async (site) => ({ environment: await site.copyEmpty() }),
    names: ['people.none'],
    severity: 'warning',
    message: /no tenant and no administrator yet/,
    remedy: 'use the set-up code',
  },
];

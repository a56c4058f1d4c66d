import { expect } from 'vitest';
import { as, test } from './two-tenants.fixture.ts';

test('the only other policies let the cross-tenant role read rows and claim due ones', async ({ owner }) => {
  const { rows } = await owner.query(`
    select tablename, roles::text[], cmd from pg_policies
    where schemaname = 'public' and policyname <> 'tenant_isolation' order by tablename`);
  const claimable = [
    'call_attempts',
    'configuration_versions',
    'channel_health',
    'channel_listeners',
    'command_runs',
    'escalations',
  ];
  const read = [
    'alarms',
    'api_keys',
    'audit_entries',
    'channels',
    'history_starts',
    'journal',
    'logins',
    'passkeys',
    'security_settings',
    'sessions',
    'totp_secrets',
    'system_alarms',
    'tenants',
    'call_events',
    'tenant_counters',
    'users',
    'monitor_alarms',
    'address_codes',
    'approvals',
    'audit_heads',
    'calls',
    'closed_months',
    'duty_notices',
    'idempotency_keys',
    'log_in_steps',
    'notices',
    'password_resets',
    'provider_callbacks',
    'recent_alarms',
    'sign_ins',
    'tags',
    'text_months',
    'used_challenges',
  ];
  expect(rows).toEqual(
    [...read, ...claimable].toSorted().map((tablename) => ({
      tablename,
      roles: ['tocsin_cross_tenant'],
      cmd: claimable.includes(tablename) ? 'ALL' : 'SELECT',
    })),
  );
});

test("the functions with their owner's rights are these, not public, and safe from a caller's schema", async ({
  owner,
}) => {
  const { rows } = await owner.query(`
    select p.proname as name, pg_get_userbyid(p.proowner) = 'tocsin_cross_tenant' as cross_tenant,
           pg_get_function_result(p.oid) as answers, p.proconfig[1] as path,
           has_function_privilege('tocsin_app', p.oid, 'execute') as app,
           exists (select from aclexplode(p.proacl) where grantee = 0) as "isPublic"
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef order by 1`);
  const claimed = 'TABLE(tenant_id bigint, id bigint, fencing_token bigint)';
  const channel = 'TABLE(tenant_id bigint, channel_id bigint)';
  const owners: Record<string, string> = {
    drop_old_partitions: 'date',
    drop_retired_month: 'date',
    retire_months: 'boolean',
    delete_audit_entries: 'TABLE(number bigint, hash bytea)',
    delete_command_runs: 'integer',
    histories_kept_from: 'timestamp with time zone',
    make_partitions: 'integer',
    refresh_statistics: 'integer',
  };
  const crossTenantFunctions: Record<string, string> = {
    last_audit_entries: 'TABLE(tenant_id bigint, number bigint, hash bytea)',
    calling_state:
      'TABLE(open_escalations bigint, overdue_escalations bigint, oldest_due_at timestamp with time zone, queued_attempts bigint, tenants_without_channel bigint)',
    channel_states: 'TABLE(medium text, channels bigint, down bigint)',
    attempts_to_hang_up: 'TABLE(tenant_id bigint, id bigint)',
    find_tenant: 'bigint',
    find_tenant_of_name: 'TABLE(tenant_id bigint, name text)',
    is_tenant_closed: 'boolean',
    find_login: 'TABLE(failure_subject text, tenant_id bigint, user_id bigint)',
    tenants_with_new_call_events: 'TABLE(tenant_id bigint)',
    last_journal_seqs: 'TABLE(tenant_id bigint, seq bigint)',
    journal_positions: 'TABLE(tenant_id bigint, seq bigint, known_at timestamp with time zone)',
    next_tenant_id: 'bigint',
    overdue_escalations: 'TABLE(tenant_id bigint, escalations bigint, oldest timestamp with time zone)',
    raised_system_alarms: 'SETOF bigint',
    access_status: 'TABLE(ordinal bigint, role text, station_ids bigint[])',
    claim_abandoned_attempts: claimed,
    claim_abandoned_command_runs: claimed,
    claim_accepted_calls: 'TABLE(tenant_id bigint, id bigint)',
    claim_attempts: claimed,
    claim_channel_listeners:
      'TABLE(tenant_id bigint, channel_id bigint, fencing_token bigint, channel_version integer, failures integer)',
    claim_channel_probes: channel,
    claim_probes_of_channels: 'TABLE(tenant_id bigint, channel_id bigint, channel_version integer)',
    claim_command_runs: claimed,
    claim_command_runs_fairly: claimed,
    claim_escalations: claimed,
    claim_roster_checks: 'SETOF bigint',
    renew_channel_listeners: 'TABLE(tenant_id bigint, channel_id bigint, channel_version integer)',
    tenant_ids: 'SETOF bigint',
    tenants_with_expired_masks: 'SETOF bigint',
    tenants_to_retire: 'SETOF bigint',
    active_occurrences:
      'TABLE(tenant_id bigint, tag_id bigint, occurrence_id bigint, raised_at timestamp with time zone)',
    tenants_with_scheduled_notices: 'SETOF bigint',
    failing_channels: channel,
    record_worked_channels: channel,
    unreported_system_alarms: 'SETOF bigint',
    waiting_calls: 'TABLE(tenant_id bigint, queued bigint, unaccepted bigint)',
    tenants_with_monitor_alarm: 'SETOF bigint',
    tenants_with_expired_rows: 'SETOF bigint',
    tenants_with_expiring_keys: 'SETOF bigint',
    tenants_with_resting_alarms: 'SETOF bigint',
    tenants_with_old_audit_entries: 'SETOF bigint',
    tenants_with_old_calls: 'SETOF bigint',
    tenants_with_open_months: 'SETOF bigint',
    tenants_with_system_alarms: 'SETOF bigint',
    tenants_with_temporary_tags: 'SETOF bigint',
    tenants_without_audit_head: 'SETOF bigint',
  };
  const expected = Object.entries({ ...owners, ...crossTenantFunctions }).map(([name, answers]) => ({
    name,
    cross_tenant: name in crossTenantFunctions,
    answers,
    path: 'search_path=public, pg_temp',
    // The function that drops months calls it, as the owner.
    app: name !== 'active_occurrences',
    isPublic: false,
  }));
  expect(rows).toEqual(expected.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
});

test('a caller cannot replace a table that a function of the cross-tenant role reads', async ({ app }) => {
  const found = await as(app, 1, async () => {
    await app.query('create temp table logins (username_key text, tenant_id bigint, user_id bigint)');
    await app.query("insert into pg_temp.logins values ('intruder', 2, 1)");
    await app.query('grant select on pg_temp.logins to tocsin_cross_tenant');
    return (await app.query("select * from find_login('intruder')")).rows;
  });
  expect(found).toEqual([{ failure_subject: 'intruder', tenant_id: null, user_id: null }]);
});

test('the cross-tenant role can read three tables whole and write none', async ({ owner }) => {
  const { rows } = await owner.query<{ may: string }>(`
    select c.relname || ' ' || lower(privilege) as may from pg_class c,
      unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) as privilege
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and has_table_privilege('tocsin_cross_tenant', c.oid, privilege) order by 1`);
  expect(rows.map(({ may }) => may)).toEqual(['alarms select', 'logins select', 'tenants select']);
});

test('the cross-tenant role can read the rights of users and keys, and no password or key', async ({
  owner,
}) => {
  const { rows } = await owner.query<{ may: string }>(`
    select c.relname || '.' || a.attname as may from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.oid = any (
        '{users,api_keys,channels,sessions,tenant_counters,passkeys,totp_secrets,security_settings,deleted_tenants}'::regclass[]) and a.attnum > 0
      and has_column_privilege('tocsin_cross_tenant', c.oid, a.attname, 'select') order by 1`);
  const may = {
    api_keys: [
      'expires_at',
      'id',
      'last_used_at',
      'owner_id',
      'revoked_at',
      'role',
      'station_ids',
      'tenant_id',
    ],
    channels: ['enabled', 'id', 'medium', 'tenant_id', 'version'],
    deleted_tenants: ['number'],
    passkeys: ['tenant_id', 'user_id'],
    security_settings: ['second_factor_roles', 'tenant_id'],
    sessions: ['expires_at', 'id', 'revoked_at', 'second_factor', 'tenant_id', 'user_id'],
    tenant_counters: ['last_at', 'seq', 'tenant_id'],
    totp_secrets: ['confirmed_at', 'tenant_id', 'user_id'],
    users: ['enabled', 'id', 'role', 'station_ids', 'tenant_id'],
  };
  const expected = Object.entries(may).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`),
  );
  expect(rows.map((row) => row.may)).toEqual(expected);
});

test('of the tables that jobs clean up the cross-tenant role reads how old rows are, and nothing else', async ({
  owner,
}) => {
  const { rows } = await owner.query<{ may: string }>(`
    select c.relname || '.' || a.attname as may from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.oid = any ('{address_codes,approvals,audit_heads,calls,closed_months,duty_notices,idempotency_keys,log_in_steps,
        notices,password_resets,provider_callbacks,sign_ins,tags,text_months,used_challenges}'::regclass[])
      and a.attnum > 0 and a.attname <> 'tenant_id'
      and has_column_privilege('tocsin_cross_tenant', c.oid, a.attname, 'select') order by 1`);
  expect(rows.map(({ may }) => may)).toEqual([
    'address_codes.sent_at',
    'approvals.requested_at',
    'audit_heads.number',
    'calls.requested_at',
    'closed_months.first_open',
    'duty_notices.starts_at',
    'idempotency_keys.created_at',
    'log_in_steps.expires_at',
    'notices.sent_at',
    'password_resets.expires_at',
    'provider_callbacks.received_at',
    'sign_ins.created_at',
    'tags.id',
    'tags.temporary',
    'text_months.month',
    'used_challenges.expires_at',
  ]);
});

test('the functions of the cross-tenant role return only the rows they are meant to', async ({ app }) => {
  const ask = async (question: string, tenantId?: number) =>
    as(app, tenantId, async () => (await app.query(question)).rows);
  for (const tenantId of [undefined, 1]) {
    const nobody = { tenant_id: null, user_id: null };
    expect(await ask("select * from find_login('of tenant 3')", tenantId)).toMatchObject([nobody]);
    expect(await ask("select * from find_login('%')", tenantId)).toMatchObject([nobody]);
    expect(await ask("select * from find_login('Of Tenant 2')", tenantId)).toEqual([
      { failure_subject: 'of tenant 2', tenant_id: '2', user_id: '1' },
    ]);
    expect(await ask("select * from find_login('of tenant 2@1')", tenantId)).toMatchObject([nobody]);
    expect(await ask('select * from tenant_ids()', tenantId)).toEqual([
      { tenant_ids: '1' },
      { tenant_ids: '2' },
    ]);
    expect(await ask('select next_tenant_id()', tenantId)).toEqual([{ next_tenant_id: '3' }]);
    expect(await ask('select * from last_journal_seqs(array[2, 3])', tenantId)).toEqual([
      { tenant_id: '2', seq: '1' },
    ]);
    expect(await ask("select tenants_with_expired_masks('1990-01-01')", tenantId)).toEqual([]);
    const expired = await ask("select tenants_with_expired_masks('2030-01-01') as id order by 1", tenantId);
    expect(expired).toEqual([{ id: '1' }, { id: '2' }]);
  }
});

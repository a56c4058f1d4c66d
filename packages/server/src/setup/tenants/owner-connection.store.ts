import { userInfo } from 'node:os';
import pg from 'pg';
import { defaultToOperatingUser } from '../../postgres/operating-user.ts';
import type { Config } from '../../settings/config.ts';

export type OwnerClient = pg.Client;

/** Settings of a session that works through whole tables: statements may take long, but must not wait long for locks. */
const session = { timezone: 'UTC', lock_timeout: '10000', statement_timeout: '0' };

/**
 * Runs `work` on a connection of the role that owns the tables, as `migrate` does. The login of the server lacks the right
 * to delete a tenant.
 */
export async function asOwner<Result>(
  { databaseUrl, migrateDatabaseUrl = databaseUrl }: Config,
  work: (client: OwnerClient) => Promise<Result>,
): Promise<Result> {
  defaultToOperatingUser();
  const options = Object.entries(session).map(([name, value]) => `-c ${name}=${value}`);
  const client = new pg.Client({
    connectionString: migrateDatabaseUrl,
    application_name: 'tocsin operator',
    options: options.join(' '),
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs `work` in a transaction. An error rolls back all of it. */
export async function inTransaction<Result>(
  client: OwnerClient,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** The transaction then sees the rows of this tenant only. */
export async function enterTenantAsOwner(client: OwnerClient, tenantId: number): Promise<void> {
  await client.query("select set_config('tocsin.tenant', $1, true)", [String(tenantId)]);
}

export type NamedTenant = { readonly id: number; readonly name: string; readonly isClosed: boolean };

/** Every tenant, also those that are being deleted. Row-level security hides them from the owner, not from this role. */
export async function listTenants(client: OwnerClient): Promise<NamedTenant[]> {
  await client.query('begin');
  try {
    await client.query('set local role tocsin_cross_tenant');
    const { rows } = await client.query<{ id: string; name: string; isClosed: boolean }>(
      'select id, name, is_tenant_closed(id) as "isClosed" from tenants order by id',
    );
    return rows.map(({ id, name, isClosed }) => ({ id: Number(id), name, isClosed }));
  } finally {
    await client.query('rollback');
  }
}

/** The operator: their user of the operating system, and their login to the database. */
export async function readActor(client: OwnerClient): Promise<string> {
  const { rows } = await client.query<{ login: string }>('select session_user as login');
  return `${userInfo().username} as ${rows[0]?.login ?? ''}`;
}

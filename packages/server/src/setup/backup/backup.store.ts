import pg from 'pg';
import { defaultToOperatingUser } from '../../postgres/operating-user.ts';
import { type OwnerClient, readTenantContents } from './content.store.ts';
import type { OwnedRoutine, TenantContent } from './manifest.ts';

/** A moment of the database that a dump can be made of. */
export type Snapshot = {
  /** Names the moment to `pg_dump`, as long as the connection is open. */
  id: string;
  takenAt: string;
  migration: string;
  postgres: string;
  /** Whether the write-ahead log is archived, so that a restore could lose less. */
  isArchived: boolean;
  tenants: TenantContent[];
  routines: OwnedRoutine[];
};

export type Login = { name: string; seesAllRows: boolean };

/** Runs `work` on one moment of the database, with a login that must see the rows of all tenants. */
export async function atOneMoment<Result>(
  url: string,
  refuse: (login: Login) => void,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  defaultToOperatingUser();
  const client = new pg.Client({ connectionString: url, application_name: 'tocsin backup' });
  await client.connect();
  try {
    refuse(await readLogin(client));
    await client.query('begin isolation level repeatable read read only');
    return await work(await readSnapshot(client));
  } finally {
    await client.end();
  }
}

async function readLogin(client: OwnerClient): Promise<Login> {
  const { rows } = await client.query<Login>(
    `select rolname as name, rolsuper or rolbypassrls as "seesAllRows" from pg_roles where rolname = current_user`,
  );
  return rows[0] ?? { name: '', seesAllRows: false };
}

type Facts = Pick<Snapshot, 'id' | 'migration' | 'postgres' | 'isArchived'> & { takenAt: Date };

async function readSnapshot(client: OwnerClient): Promise<Snapshot> {
  const { rows } = await client.query<Facts>(
    `select pg_export_snapshot() as id, now() as "takenAt", (select max(name) from migrations) as migration,
       current_setting('server_version') as postgres, current_setting('archive_mode') <> 'off' as "isArchived"`,
  );
  const [facts] = rows;
  if (!facts) throw new Error('the database gave no snapshot');
  const tenants = await readTenantContents(client);
  return { ...facts, takenAt: facts.takenAt.toISOString(), tenants, routines: await readRoutines(client) };
}

/** Functions that see all tenants belong to a role of their own, which a restore must give back to them. */
async function readRoutines(client: OwnerClient): Promise<OwnedRoutine[]> {
  const { rows } = await client.query<OwnedRoutine>(
    `select p.oid::regprocedure::text as routine, p.proowner::regrole::text as owner from pg_proc p
     where p.pronamespace = 'public'::regnamespace
       and p.proowner <> (select relowner from pg_class where oid = 'public.migrations'::regclass)
     order by 1`,
  );
  return rows;
}

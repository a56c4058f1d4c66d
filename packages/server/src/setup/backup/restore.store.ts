import type { OwnerClient } from './content.store.ts';
import type { OwnedRoutine } from './manifest.ts';

/** What a restore would meet in the database. */
export type RestoreTarget = {
  login: string;
  isSuperuser: boolean;
  /** Tables, views and sequences. */
  objects: number;
  /** Other connections to the database, such as servers. */
  connections: number;
  /** Roles that the backup needs and the cluster lacks. */
  missingRoles: string[];
};

export async function readTarget(client: OwnerClient, roles: readonly string[]): Promise<RestoreTarget> {
  const { rows } = await client.query<RestoreTarget>(
    `select session_user::text as login, (select rolsuper from pg_roles where rolname = session_user) as "isSuperuser",
       (select count(*)::integer from pg_class where relnamespace = 'public'::regnamespace) as objects,
       -- The owner sees the names of other logins, not the kinds of their processes.
       (select count(*)::integer from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and usename is not null) as connections,
       array(select wanted from unnest($1::text[]) as wanted
         where not exists (select from pg_roles where rolname = wanted)) as "missingRoles"`,
    [roles],
  );
  const [target] = rows;
  if (!target) throw new Error('the database told nothing');
  return target;
}

/** Where the former content waits until the restored one is verified. */
const aside = 'tocsin_before_restore';

/** Puts the content of the database aside, and leaves an empty schema as in a new database. */
export async function setContentAside(client: OwnerClient): Promise<void> {
  await client.query(`
    begin;
    alter schema public rename to ${aside};
    create schema public authorization pg_database_owner;
    grant usage on schema public to public;
    commit`);
}

export async function bringContentBack(client: OwnerClient): Promise<void> {
  await client.query(`
    begin;
    drop schema public cascade;
    alter schema ${aside} rename to public;
    commit`);
}

export async function dropFormerContent(client: OwnerClient): Promise<void> {
  await client.query(`drop schema ${aside} cascade`);
}

/** Gives functions that see all tenants to their role again. */
export async function giveRoutines(client: OwnerClient, routines: readonly OwnedRoutine[]): Promise<void> {
  for (const { routine, owner } of routines) {
    const { rows } = await client.query<{ statement: string }>(
      `select format('alter routine %s owner to %I', $1::regprocedure, $2::text) as statement`,
      [routine, owner],
    );
    await client.query(rows[0]?.statement ?? '');
  }
}

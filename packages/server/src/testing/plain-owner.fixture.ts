import type { Runtime } from '../postgres/runtime.ts';

/** A role that is no superuser owns the tables, as at a plant: row-level security binds it too. */
export async function giveToPlainOwner({ database }: Runtime): Promise<void> {
  const client = await database.pool.connect();
  await client.query(`
    set role none;
    do $$
    declare one record;
    begin
      if not exists (select from pg_roles where rolname = 'plain_owner') then
        create role plain_owner nosuperuser nobypassrls;
        grant tocsin_app, tocsin_cross_tenant to plain_owner;
      end if;
      grant create on schema public to plain_owner;
      for one in select oid::regclass as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') loop
        execute format('alter table %s owner to plain_owner', one.name);
      end loop;
      for one in select oid::regprocedure as name from pg_proc
        where pronamespace = 'public'::regnamespace and proowner = session_user::regrole loop
        execute format('alter routine %s owner to plain_owner', one.name);
      end loop;
    end $$;
    reset role`);
  client.release();
}

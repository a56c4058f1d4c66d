import { type Database, isConnectionFailure } from './database.ts';
import { pendingMigrations } from './migrate.ts';

type RoleRow = { name: string; superuser: boolean; bypasses: boolean; owns: boolean };

/**
 * What must be put right before the server may run, each with what to do. The wall between tenants is row-level
 * security, and PostgreSQL does not hold it up against everybody.
 */
export async function selfCheck(database: Database): Promise<string[]> {
  try {
    const { rows } = await database.pool.query<RoleRow>(`
      select r.rolname as name, r.rolsuper as superuser, r.rolbypassrls as bypasses,
             exists (select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
                     and pg_has_role(r.oid, c.relowner, 'member')) as owns
      from pg_roles r where r.rolname = current_user`);
    const roleFaults = rows.flatMap(faultsOfRole);
    return roleFaults.length > 0 ? roleFaults : await migrationFaults(database);
  } catch (error) {
    return [explain(error)];
  }
}

const remedy = 'remove `options` from DATABASE_URL, so that the server can become tocsin_app';

function faultsOfRole({ name, superuser, bypasses, owns }: RoleRow): string[] {
  if (superuser) return [`The server would run as ${name}, a superuser: ${remedy}`];
  if (bypasses) return [`The server would run as ${name}, which passes row-level security: ${remedy}`];
  if (owns) return [`The server would run as ${name}, which owns the tables: ${remedy}`];
  return [];
}

async function migrationFaults(database: Database): Promise<string[]> {
  const pending = await pendingMigrations(database.pool);
  if (pending.length === 0) return [];
  return [
    `The database lacks ${pending.join(', ')}: run the \`migrate\` command, or start with AUTO_MIGRATE=true`,
  ];
}

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === '42P01' || /role "tocsin_app" does not exist/.test(message)) {
    return 'The database is empty: run the `migrate` command, or start with AUTO_MIGRATE=true';
  }
  if (/permission denied to set role/.test(message)) {
    return 'The user of DATABASE_URL may not become tocsin_app: as the owner, run `grant tocsin_app to <user>`';
  }
  if (isConnectionFailure(error)) return `The database of DATABASE_URL cannot be reached: ${message}`;
  return `The database of DATABASE_URL refused: ${message}`;
}

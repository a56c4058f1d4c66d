import { type Database, isConnectionFailure } from './database.ts';
import { pendingMigrations } from './migrate.ts';

type RoleRow = { name: string; superuser: boolean; bypasses: boolean; owns: boolean };
type LoginRow = RoleRow & { publicMayConnect: boolean; superuserOfFunctions: string | null };

export type SelfCheckSettings = {
  /** For demonstrations and tests: an SQL injection would then control the whole cluster. */
  allowSuperuserLogin: boolean;
};

/**
 * Finds faults that must be corrected before the server may run, each with its remedy. Row-level security separates the
 * tenants, and PostgreSQL does not apply it to superusers, owners and roles that bypass it.
 */
export async function selfCheck(
  database: Database,
  { allowSuperuserLogin }: SelfCheckSettings,
): Promise<string[]> {
  try {
    const { rows } = await database.pool.query<RoleRow>(roleQuery('current_user'));
    const roleFaults = rows.flatMap(faultsOfRole);
    if (roleFaults.length > 0) return roleFaults;
    const loginFaults = allowSuperuserLogin ? [] : (await readLogin(database)).flatMap(faultsOfLogin);
    return loginFaults.length > 0 ? loginFaults : await migrationFaults(database);
  } catch (error) {
    return [explain(error)];
  }
}

/** Faults that should be corrected, although the server can run. */
export async function loginWarnings(database: Database): Promise<string[]> {
  return (await readLogin(database)).flatMap(warningsOfLogin);
}

/** The role that the policies of row-level security are written for. */
const applicationRole = 'tocsin_app';
const remedy = 'remove `options` from DATABASE_URL, so that the server can become tocsin_app';
const separateLogin =
  'log in as a role that may become tocsin_app and nothing else (docs/operations.md#postgresql)';

const roleQuery = (who: string, more = '') => `
  select r.rolname as name, r.rolsuper as superuser, r.rolbypassrls as bypasses,
         exists (select from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
                 and pg_has_role(r.oid, c.relowner, 'member')) as owns ${more}
  from pg_roles r where r.rolname = ${who}`;

async function readLogin({ pool }: Database): Promise<LoginRow[]> {
  const { rows } = await pool.query<LoginRow>(
    roleQuery(
      'session_user',
      `, has_database_privilege('public', current_database(), 'connect') as "publicMayConnect",
       (select min(o.rolname) from pg_proc p join pg_roles o on o.oid = p.proowner
        where p.pronamespace = 'public'::regnamespace and p.prosecdef and o.rolsuper) as "superuserOfFunctions"`,
    ),
  );
  return rows;
}

function faultsOfRole({ name, superuser, bypasses, owns }: RoleRow): string[] {
  if (superuser) return [`The server would run as ${name}, a superuser: ${remedy}`];
  if (bypasses) return [`The server would run as ${name}, which bypasses row-level security: ${remedy}`];
  if (owns) return [`The server would run as ${name}, which owns the tables: ${remedy}`];
  if (name !== applicationRole)
    return [`The server would run as ${name} instead of ${applicationRole}: ${remedy}`];
  return [];
}

/** The application role protects little if a single `reset role` returns to a login that may do anything. */
function faultsOfLogin({ name, superuser, bypasses, superuserOfFunctions }: LoginRow): string[] {
  const demonstration = 'or, for a demonstration, set ALLOW_SUPERUSER_LOGIN=true';
  const faults: string[] = [];
  if (superuser)
    faults.push(`The server would log in as ${name}, a superuser: ${separateLogin}, ${demonstration}`);
  else if (bypasses)
    faults.push(
      `The server would log in as ${name}, which bypasses row-level security: ${separateLogin}, ${demonstration}`,
    );
  if (superuserOfFunctions !== null)
    faults.push(
      `Functions of the database run as ${superuserOfFunctions}, a superuser: give them to a plain owner (docs/operations.md#postgresql), ${demonstration}`,
    );
  return faults;
}

function warningsOfLogin({ name, owns, publicMayConnect }: LoginRow): string[] {
  const warnings: string[] = [];
  if (owns) warnings.push(`${name} can change the tables: ${separateLogin}`);
  if (publicMayConnect)
    warnings.push(
      'every role of the cluster may connect to this database: as its owner, run `revoke all on database … from public`',
    );
  return warnings;
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

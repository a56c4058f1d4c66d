import { describeFault, type Fault } from '../common/fault.ts';
import { type Database, errorCode, isConnectionFailure } from './database.ts';
import { pendingMigrations } from './migrate.ts';

type RoleRow = { name: string; superuser: boolean; bypasses: boolean; owns: boolean };
type LoginRow = RoleRow & { publicMayConnect: boolean; superuserOfFunctions: string | null };

export type SelfCheckSettings = {
  /** For demonstrations and tests: an SQL injection would then control the whole cluster. */
  allowSuperuserLogin: boolean;
};

/** Finds faults that must be corrected before the server may run, each with its remedy. */
export async function selfCheck(database: Database, settings: SelfCheckSettings): Promise<string[]> {
  try {
    const roleFaults = await findRoleFaults(database, settings);
    const faults = roleFaults.length > 0 ? roleFaults : await findSchemaFaults(database);
    return faults.map(describeFault);
  } catch (error) {
    return [describeFault(explainDatabaseError(error))];
  }
}

/**
 * The faults of the roles as which the server logs in and runs. Row-level security separates the tenants, and PostgreSQL
 * does not apply it to superusers, owners and roles that bypass it.
 */
export async function findRoleFaults(
  database: Database,
  { allowSuperuserLogin }: SelfCheckSettings,
): Promise<Fault[]> {
  const { rows } = await database.pool.query<RoleRow>(roleQuery('current_user'));
  const roleFaults = rows.flatMap(faultsOfRole);
  if (roleFaults.length > 0 || allowSuperuserLogin) return roleFaults;
  return (await readLogin(database)).flatMap(faultsOfLogin);
}

/** Faults that should be corrected, although the server can run. */
export async function findLoginWarnings(database: Database): Promise<Fault[]> {
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

function faultsOfRole({ name, superuser, bypasses, owns }: RoleRow): Fault[] {
  const fault = (is: string) => [
    { name: 'database.role', problem: `The server would run as ${name}${is}`, remedy },
  ];
  if (superuser) return fault(', a superuser');
  if (bypasses) return fault(', which bypasses row-level security');
  if (owns) return fault(', which owns the tables');
  return name === applicationRole ? [] : fault(` instead of ${applicationRole}`);
}

/** The application role protects little if a single `reset role` returns to a login that may do anything. */
function faultsOfLogin({ name, superuser, bypasses, superuserOfFunctions }: LoginRow): Fault[] {
  const demonstration = 'or, for a demonstration, set ALLOW_SUPERUSER_LOGIN=true';
  const faults: Fault[] = [];
  if (superuser || bypasses)
    faults.push({
      name: 'database.login',
      problem: `The server would log in as ${name}, ${superuser ? 'a superuser' : 'which bypasses row-level security'}`,
      remedy: `${separateLogin}, ${demonstration}`,
    });
  if (superuserOfFunctions !== null)
    faults.push({
      name: 'database.functions',
      problem: `Functions of the database run as ${superuserOfFunctions}, a superuser`,
      remedy: `give them to a plain owner (docs/operations.md#postgresql), ${demonstration}`,
    });
  return faults;
}

function warningsOfLogin({ name, owns, publicMayConnect }: LoginRow): Fault[] {
  const warnings: Fault[] = [];
  if (owns)
    warnings.push({
      name: 'database.owner',
      problem: `${name} can change the tables`,
      remedy: separateLogin,
    });
  if (publicMayConnect)
    warnings.push({
      name: 'database.public',
      problem: 'every role of the cluster may connect to this database',
      remedy: 'as its owner, run `revoke all on database … from public`',
    });
  return warnings;
}

const migrateFirst = 'run the `migrate` command, or start with AUTO_MIGRATE=true';

/** The migrations that the database lacks. */
export async function findSchemaFaults(database: Database): Promise<Fault[]> {
  const pending = await pendingMigrations(database.pool);
  if (pending.length === 0) return [];
  return [
    {
      name: 'schema.behind',
      problem: `The database lacks ${pending.join(', ')}`,
      remedy: migrateFirst,
    },
  ];
}

/** The reason why the database cannot be used, from the error of the first statements. */
export function explainDatabaseError(error: unknown): Fault {
  const message = error instanceof Error ? error.message : String(error);
  const code = errorCode(error);
  if (code === '42P01' || /role "tocsin_app" does not exist/.test(message))
    return { name: 'schema.empty', problem: 'The database is empty', remedy: migrateFirst };
  if (/permission denied to set role/.test(message))
    return {
      name: 'database.grant',
      problem: 'The user of DATABASE_URL may not become tocsin_app',
      remedy: 'as the owner, run `grant tocsin_app to <user>`',
    };
  if (isConnectionFailure(error))
    return {
      name: 'database.unreachable',
      problem: `The database of DATABASE_URL cannot be reached: ${message}`,
      remedy: 'start PostgreSQL, or correct the host and port in DATABASE_URL',
    };
  return {
    name: refusals[code]?.name ?? 'database.refused',
    problem: `The database of DATABASE_URL refused: ${message}`,
    remedy: refusals[code]?.remedy ?? 'correct DATABASE_URL; the log of PostgreSQL has the details',
  };
}

const wrongPassword = {
  name: 'database.password',
  remedy: 'correct the user and password in DATABASE_URL, or set it with `alter role … password`',
};
/** By SQLSTATE. */
const refusals: Readonly<Record<string, Pick<Fault, 'name' | 'remedy'>>> = {
  '28P01': wrongPassword,
  '28000': wrongPassword,
  '3D000': {
    name: 'database.missing',
    remedy: 'create it with create-database.sh, or correct the name in DATABASE_URL',
  },
};

import { CannotStart } from '../../open-runtime.ts';
import { leftOut } from '../order-tables.ts';
import type { OwnerClient } from '../owner-connection.store.ts';
import { readLastMigration } from '../tenant-catalog.store.ts';
import type { Move } from './move.ts';
import { tablesWithoutTenantKey } from './source-cell.store.ts';
import { hasTenant } from './target-cell.store.ts';

/** Refuses what would fail half-way, with what to do about it. */
export async function checkCells({ tenant, source, target }: Move): Promise<void> {
  const reasons = [
    ...(await reasonsOf(source, 'this cell')),
    ...(await reasonsOf(target, 'the other cell')),
    ...(await differences(source, target)),
  ];
  if (tenant.isClosed) reasons.push(`${tenant.name} is being deleted.`);
  if (reasons.length === 0 && (await hasTenant(target, tenant.id)))
    reasons.push(
      `The other cell has a tenant with the number ${tenant.id}, or had one. Give tenants of all cells different numbers (create-tenant --number).`,
    );
  const keyless = (await tablesWithoutTenantKey(source)).filter((name) => !Object.hasOwn(leftOut, name));
  if (keyless.length > 0) reasons.push(`These tables cannot be copied row by row: ${keyless.join(', ')}.`);
  if (reasons.length > 0) throw new CannotStart(reasons);
}

async function reasonsOf(client: OwnerClient, cell: string): Promise<string[]> {
  const { rows } = await client.query<{ level: string; isSuperuser: string }>(
    `select current_setting('wal_level') as level, current_setting('is_superuser') as "isSuperuser"`,
  );
  const [found] = rows;
  return [
    ...(found?.isSuperuser === 'on'
      ? []
      : [`The login to the database of ${cell} is no superuser: logical replication needs one.`]),
    ...(found?.level === 'logical'
      ? []
      : [`PostgreSQL of ${cell} has wal_level=${found?.level}: set it to logical and restart PostgreSQL.`]),
  ];
}

async function differences(source: OwnerClient, target: OwnerClient): Promise<string[]> {
  const [here, there] = [await readLastMigration(source), await readLastMigration(target)];
  if (here === there) return [];
  return [`The cells have different releases: migration ${here} here, ${there} there. Migrate both.`];
}

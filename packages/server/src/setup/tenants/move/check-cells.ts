import { CannotStart } from '../../cannot-start.ts';
import { leftOut } from '../order-tables.ts';
import type { OwnerClient } from '../owner-connection.store.ts';
import { readLastMigration } from '../tenant-catalog.store.ts';
import { readMovedState } from './fence.store.ts';
import type { Move } from './move.ts';
import { readCreation, tablesWithoutTenantKey } from './source-cell.store.ts';
import { isNumberTaken } from './target-cell.store.ts';

/** Refuses what would fail half-way, with what to do about it. */
export async function checkCells(move: Move): Promise<void> {
  const { tenant, source, target } = move;
  const reasons = [
    ...(await reasonsOf(source, 'this cell')),
    ...(await reasonsOf(target, 'the other cell')),
    ...(await differences(source, target)),
  ];
  if (tenant.isClosed) reasons.push(`${tenant.name} is being deleted.`);
  if (reasons.length === 0) reasons.push(...(await reasonsOfTenant(move)));
  const keyless = (await tablesWithoutTenantKey(source)).filter((name) => !Object.hasOwn(leftOut, name));
  if (keyless.length > 0) reasons.push(`These tables cannot be copied row by row: ${keyless.join(', ')}.`);
  if (reasons.length > 0) throw new CannotStart(reasons);
}

/** A tenant that two cells serve would call people twice and give the same numbers to different alarms. */
async function reasonsOfTenant({ tenant, source, target }: Move): Promise<string[]> {
  const here = await readMovedState(source, tenant.id);
  const there = await readMovedState(target, tenant.id);
  if (here === 'arriving')
    return [`${tenant.name} has not arrived here. Repeat the move in the cell that serves it.`];
  // A move that was interrupted while the tenant was stopped can be repeated.
  if (here === 'moved' && there !== 'arriving')
    return [`${tenant.name} has left this cell. Move it from the cell that serves it.`];
  if (await isNumberTaken(target, tenant.id, await readCreation(source, tenant.id)))
    return [
      `The other cell has another tenant with the number ${tenant.id}, or has deleted one. Give the tenants of all cells different numbers: create-tenant --number.`,
    ];
  return [];
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

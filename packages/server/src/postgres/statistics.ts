import type { Database } from './database.ts';
import { longStatement } from './long-statement.ts';
import { outsideTenants } from './tenant-transaction.ts';

/** Lets the planner look again at tables that have changed much since it last did. */
export async function refreshStatistics(database: Database): Promise<void> {
  await outsideTenants(database, (transaction) => longStatement(transaction, 'select refresh_statistics()'));
}

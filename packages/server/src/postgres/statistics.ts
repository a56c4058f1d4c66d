import type { Database } from './database.ts';
import { longStatement } from './long-statement.ts';
import { outsideTenants } from './tenant-transaction.ts';

/** Analyzes the tables that have changed much since the last time. */
export async function refreshStatistics(database: Database): Promise<void> {
  await outsideTenants(database, (transaction) => longStatement(transaction, 'select refresh_statistics()'));
}

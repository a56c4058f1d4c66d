import type { Database } from './database.ts';

/** Lets the planner look again at tables that have changed much since it last did. */
export async function refreshStatistics({ pool }: Database): Promise<void> {
  await pool.query('select refresh_statistics()');
}

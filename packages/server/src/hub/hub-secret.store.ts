import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';

/**
 * What seals the tokens of hub connections, made by the first server that asks. Signing keys are replaced every month;
 * this stays, so that servers started months apart understand each other's clients.
 */
export function hubSecret(database: Database, offered: string): Promise<string> {
  return outsideTenants(database, async (transaction) => {
    await sql`select pg_advisory_xact_lock(7420, 5)`.execute(transaction);
    const found = await transaction
      .selectFrom('hubSecrets')
      .select('secret')
      .orderBy('createdAt')
      .limit(1)
      .execute();
    const [known] = found;
    if (known) return known.secret;
    await transaction
      .insertInto('hubSecrets')
      .values({ secret: offered, createdAt: transaction.now })
      .execute();
    return offered;
  });
}

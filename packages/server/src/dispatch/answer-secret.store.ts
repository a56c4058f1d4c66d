import { sql } from 'kysely';
import type { Database } from '../postgres/database.ts';
import { outsideTenants } from '../postgres/tenant-transaction.ts';

/** What signs the codes that people answer with, made by the first server that asks. */
export function answerSecret(database: Database, offered: string): Promise<string> {
  return outsideTenants(database, async (transaction) => {
    await sql`select pg_advisory_xact_lock(7420, 6)`.execute(transaction);
    const [known] = await transaction
      .selectFrom('answerSecrets')
      .select('secret')
      .orderBy('createdAt')
      .limit(1)
      .execute();
    if (known) return known.secret;
    await transaction
      .insertInto('answerSecrets')
      .values({ secret: offered, createdAt: transaction.now })
      .execute();
    return offered;
  });
}

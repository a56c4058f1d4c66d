import type { Database } from './database.ts';
import { pendingMigrations } from './migrate.ts';

/**
 * A question to the database whether it can serve: undefined when it can, else why not. However often it is
 * asked, one question is under way at a time.
 */
export function createReadiness(
  database: Database,
  { withinMs = 1_000 }: { withinMs?: number } = {},
): () => Promise<string | undefined> {
  let underWay: Promise<string | undefined> | undefined;
  return () => {
    underWay ??= ask(database).finally(() => {
      underWay = undefined;
    });
    return Promise.race([underWay, lateAnswer(withinMs)]);
  };
}

async function ask({ pool }: Database): Promise<string | undefined> {
  try {
    const pending = await pendingMigrations(pool);
    return pending.length === 0 ? undefined : 'The database lacks migrations of this release';
  } catch {
    return 'The database does not answer';
  }
}

function lateAnswer(withinMs: number): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, withinMs, 'The database does not answer in time').unref();
  });
}

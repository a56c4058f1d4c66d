import type { Database } from './database.ts';
import { pendingMigrations } from './migrate.ts';

export type ReadinessSettings = {
  withinMs?: number;
  /** How long it counts that something could be written. */
  writeEveryMs?: number;
};

/**
 * A question to the database whether it can serve: undefined when it can, else why not. However often it is
 * asked, one question is under way at a time, and something is written once in a while only.
 */
export function createReadiness(
  database: Database,
  { withinMs = 1_000, writeEveryMs = 5_000 }: ReadinessSettings = {},
): () => Promise<string | undefined> {
  let underWay: Promise<string | undefined> | undefined;
  let isWriting = false;
  let hasWritten = false;
  const write = async () => {
    isWriting = true;
    await writeSomething(database).finally(() => {
      isWriting = false;
    });
    hasWritten = writeEveryMs > 0;
    setTimeout(() => {
      hasWritten = false;
    }, writeEveryMs).unref();
  };
  const ask = async () => {
    try {
      const fault = await faultSeen(database);
      if (fault === undefined && !hasWritten) await write();
      return fault;
    } catch {
      return 'The database does not answer';
    }
  };
  return () => {
    underWay ??= ask().finally(() => {
      underWay = undefined;
    });
    return Promise.race([underWay, lateAnswer(withinMs, () => isWriting)]);
  };
}

async function faultSeen({ pool }: Database): Promise<string | undefined> {
  const pending = await pendingMigrations(pool);
  if (pending.length > 0) return 'The database lacks migrations of this release';
  const { rows } = await pool.query<{ isReadOnly: boolean }>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  return rows[0]?.isReadOnly === false ? undefined : 'The database cannot be written to';
}

/** A day: a commit that waits for a standby goes on waiting, and one that does is enough. */
const longestWriteMs = 86_400_000;

/** A few bytes of the log and no row: its commit waits as long as that of an alarm would. */
async function writeSomething({ pool }: Database): Promise<void> {
  // The limit of this one statement, which the types of the client do not tell of.
  const statement = {
    text: `select pg_logical_emit_message(true, 'tocsin', 'readiness')`,
    query_timeout: longestWriteMs,
  };
  await pool.query(statement);
}

function lateAnswer(withinMs: number, isWriting: () => boolean): Promise<string> {
  return new Promise((resolve) => {
    const answer = () =>
      resolve(isWriting() ? 'The database does not commit in time' : 'The database does not answer in time');
    setTimeout(answer, withinMs).unref();
  });
}

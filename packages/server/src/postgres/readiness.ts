import type { Database } from './database.ts';
import { pendingMigrations } from './migrate.ts';

export type ReadinessSettings = {
  withinMs?: number;
  /** How long a successful write counts. */
  writeEveryMs?: number;
};

/**
 * Returns a check that resolves to undefined if the database can serve, or else to the reason. However many probes call
 * it, one query runs at a time, and the test write happens every `writeEveryMs` only.
 */
export function createReadiness(
  database: Database,
  { withinMs = 1_000, writeEveryMs = 5_000 }: ReadinessSettings = {},
): () => Promise<string | undefined> {
  let running: Promise<string | undefined> | undefined;
  let isWriting = false;
  let hasWritten = false;
  const write = async () => {
    isWriting = true;
    await testWrite(database).finally(() => {
      isWriting = false;
    });
    hasWritten = writeEveryMs > 0;
    setTimeout(() => {
      hasWritten = false;
    }, writeEveryMs).unref();
  };
  const check = async () => {
    try {
      const fault = await findFault(database);
      if (fault === undefined && !hasWritten) await write();
      return fault;
    } catch {
      return 'The database does not answer';
    }
  };
  return () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return Promise.race([running, timeoutFault(withinMs, () => isWriting)]);
  };
}

async function findFault({ pool }: Database): Promise<string | undefined> {
  const pending = await pendingMigrations(pool);
  if (pending.length > 0) return 'The database lacks migrations of this release';
  return (await isReadOnly(pool)) ? readOnlyFault : undefined;
}

export const readOnlyFault = 'The database cannot be written to';

/** Whether the server of the database is a standby, or refuses writes by its settings. */
export async function isReadOnly(pool: Database['pool']): Promise<boolean> {
  const { rows } = await pool.query<{ isReadOnly: boolean }>(
    `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  return rows[0]?.isReadOnly !== false;
}

/** A commit that waits for a standby goes on waiting, so that there is only one of them. */
const maxWriteMs = 86_400_000;

/** Writes a few bytes to the log and no row: its commit waits as long as the commit of an alarm. */
async function testWrite({ pool }: Database): Promise<void> {
  // The driver has a timeout per statement, which its types do not declare.
  const statement = {
    text: `select pg_logical_emit_message(true, 'tocsin', 'readiness')`,
    query_timeout: maxWriteMs,
  };
  await pool.query(statement);
}

function timeoutFault(withinMs: number, isWriting: () => boolean): Promise<string> {
  return new Promise((resolve) => {
    const answer = () =>
      resolve(isWriting() ? 'The database does not commit in time' : 'The database does not answer in time');
    setTimeout(answer, withinMs).unref();
  });
}

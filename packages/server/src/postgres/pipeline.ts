import type { Writable } from 'node:stream';
import type pg from 'pg';

/** PostgreSQL's answer to each statement that follows a failed one in the same transaction. */
export const inFailedTransaction = '25P02';

/**
 * Waits for pipelined statements, in their order. After a failure PostgreSQL refuses all later statements, and these
 * refusals may arrive first; the error thrown is the original failure.
 */
export async function awaitPipelined<const Statements extends readonly Promise<unknown>[]>(
  statements: Statements,
): Promise<{ -readonly [Place in keyof Statements]: Awaited<Statements[Place]> }> {
  const outcomes = await Promise.allSettled(statements);
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome] : []));
  const cause = failures.find(({ reason }) => !isRefusal(reason)) ?? failures[0];
  if (cause) throw cause.reason;
  return Promise.all(statements);
}

function isRefusal(reason: unknown): boolean {
  return reason instanceof Error && 'code' in reason && reason.code === inFailedTransaction;
}

/** Sends all statements of `send` in one write; the driver would write each by itself. */
export function sendInOneWrite<Result>(client: pg.PoolClient, send: () => Result): Result {
  const socket = socketOf(client);
  socket.cork();
  try {
    return send();
  } finally {
    socket.uncork();
  }
}

/** The socket is a private member of the driver: pipeline.test.ts checks that it still works as used here. */
export function socketOf(client: pg.PoolClient): Writable {
  return (client as unknown as { connection: { stream: Writable } }).connection.stream;
}

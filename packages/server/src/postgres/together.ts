/** What PostgreSQL answers to every statement behind one that failed in the same transaction. */
const refusedAfterFailure = '25P02';

/**
 * Waits for statements that were sent together, in their order. When one fails, those behind it are refused, and
 * their refusals may be heard first: thrown is the failure that was the cause.
 */
export async function together<const Statements extends readonly Promise<unknown>[]>(
  statements: Statements,
): Promise<{ -readonly [Place in keyof Statements]: Awaited<Statements[Place]> }> {
  const outcomes = await Promise.allSettled(statements);
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome] : []));
  const cause = failures.find(({ reason }) => !isRefusal(reason)) ?? failures[0];
  if (cause) throw cause.reason;
  return Promise.all(statements);
}

function isRefusal(reason: unknown): boolean {
  return reason instanceof Error && 'code' in reason && reason.code === refusedAfterFailure;
}

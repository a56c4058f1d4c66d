import { error, type Finding, reasonOf } from './finding.ts';

/** One part of the examination. `name` is its group. */
export type Check = { readonly name: string; run(): readonly Finding[] | Promise<readonly Finding[]> };

/** Runs all checks at once. A check that throws or takes too long is an error, and affects no other. */
export async function runChecks(checks: readonly Check[], withinMs: number): Promise<Finding[]> {
  return (await Promise.all(checks.map((check) => runCheck(check, withinMs)))).flat();
}

async function runCheck({ name, run }: Check, withinMs: number): Promise<readonly Finding[]> {
  try {
    return await within(withinMs, run);
  } catch (thrown) {
    const again = 'correct the other errors of this list first, then run `check` again';
    return [error(`${name}.examination`, `This part could not be examined: ${reasonOf(thrown)}`, again)];
  }
}

/** The result of the work; rejects when it takes longer. */
export async function within<Result>(ms: number, work: () => Result | Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`timeout after ${ms / 1_000} s`)), ms);
  try {
    return await Promise.race([Promise.resolve().then(work), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

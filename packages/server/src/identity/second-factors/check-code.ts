import { ProblemError } from '../../common/problem.ts';
import type { SecretBox } from '../../common/secret-box.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { clearCodeTries, lockCodeTries, saveCodeTries } from './code-tries.store.ts';
import { afterWrongCode, secondsToNextCode } from './code-tries.ts';
import { useRecoveryCode } from './recovery-code.store.ts';
import { useTotpCode } from './totp.store.ts';

/** What a user typed as their second factor. */
export type GivenCode =
  | { readonly kind: 'totp'; readonly code: string }
  | { readonly kind: 'recovery'; readonly code: string };

/**
 * Whether the code of the user is right; a right one is used up. Wrong ones count over all servers and log-ins of the user,
 * so the transaction must be committed after them. Answers 429 while the user has to wait.
 */
export async function checkCode(
  transaction: TenantTransaction,
  box: SecretBox,
  { userId, given: { kind, code } }: { userId: number; given: GivenCode },
): Promise<boolean> {
  const { now } = transaction;
  const tries = await lockCodeTries(transaction, userId);
  const wait = secondsToNextCode(tries, now);
  if (wait > 0)
    throw new ProblemError('too-many-requests', `Too many wrong codes; try again in ${wait} s`, {
      headers: { 'retry-after': String(wait) },
    });
  const isRight =
    kind === 'totp'
      ? await useTotpCode(transaction, box, { userId, code })
      : await useRecoveryCode(transaction, { userId, code });
  if (isRight) await clearCodeTries(transaction, userId);
  else await saveCodeTries(transaction, userId, afterWrongCode(tries, now));
  return isRight;
}

import { addSeconds } from '@tocsin/domain';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { newSecret, sha256 } from '../tokens/secret.ts';

/** A log-in whose password was right, and that waits for the second factor. */
export type LogInStep = { hash: Buffer; userId: number; failureSubject: string };

const stepSeconds = 300;
/** Wrong second factors after which the password has to be entered again. */
const maxStepTries = 5;

const form = /^tcm_([1-9]\d{0,9})_[A-Za-z0-9_-]{43}$/;

/** `tcm_<tenant>_<secret>`. Contains the tenant, because a step is looked up inside one tenant only. */
export function readStepToken(token: string): { tenantId: number; hash: Buffer } | undefined {
  const [, tenantId] = form.exec(token) ?? [];
  return tenantId === undefined ? undefined : { tenantId: Number(tenantId), hash: sha256(token) };
}

/** Returns the token of the step: only its hash is stored. */
export async function insertLogInStep(
  transaction: TenantTransaction,
  { userId, failureSubject }: Omit<LogInStep, 'hash'>,
): Promise<string> {
  const { tenantId, now } = transaction;
  const token = `tcm_${tenantId}_${newSecret()}`;
  const expiresAt = addSeconds(now, stepSeconds);
  await transaction
    .insertInto('logInSteps')
    .values({ tenantId, hash: sha256(token), userId, failureSubject, expiresAt })
    .execute();
  return token;
}

/** Locks a step that can still be completed, so that parallel tries are counted one after the other. */
export function lockLogInStep(transaction: TenantTransaction, hash: Buffer): Promise<LogInStep | undefined> {
  return stepOf(transaction, hash).forUpdate().executeTakeFirst();
}

/** A step that can still be completed. */
export function findLogInStep(transaction: TenantTransaction, hash: Buffer): Promise<LogInStep | undefined> {
  return stepOf(transaction, hash).executeTakeFirst();
}

export async function countStepTry(transaction: TenantTransaction, { hash }: LogInStep): Promise<void> {
  await transaction
    .updateTable('logInSteps')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('tenantId', '=', transaction.tenantId)
    .where('hash', '=', hash)
    .execute();
}

/** A step is completed once. */
export async function deleteLogInStep(transaction: TenantTransaction, { hash }: LogInStep): Promise<void> {
  await transaction
    .deleteFrom('logInSteps')
    .where('tenantId', '=', transaction.tenantId)
    .where('hash', '=', hash)
    .execute();
}

export async function deleteExpiredLogInSteps(transaction: TenantTransaction): Promise<void> {
  await transaction
    .deleteFrom('logInSteps')
    .where('tenantId', '=', transaction.tenantId)
    .where('expiresAt', '<=', transaction.now)
    .execute();
}

function stepOf(transaction: TenantTransaction, hash: Buffer) {
  return transaction
    .selectFrom('logInSteps')
    .select(['hash', 'userId', 'failureSubject'])
    .where('tenantId', '=', transaction.tenantId)
    .where('hash', '=', hash)
    .where('expiresAt', '>', transaction.now)
    .where('tries', '<', maxStepTries);
}

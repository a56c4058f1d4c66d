import type { SessionConfirmation } from '@tocsin/contract';
import type { Static } from 'typebox';
import { invalid } from '../../common/problem.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, readTenant } from '../../postgres/tenant-transaction.ts';
import { checkCode } from '../second-factors/check-code.ts';
import { checkPasskey } from '../second-factors/check-passkey.ts';
import { readProof } from '../second-factors/passkey-answer.ts';
import type { RelyingParty } from '../second-factors/relying-party.ts';
import { findPasswordHash } from '../sessions/account.store.ts';
import { countLoginFailure, refuseWhileDelayed } from '../sessions/login-failures.ts';
import { loginSubjects } from '../sessions/login-subjects.ts';
import { verifyPassword } from '../sessions/password.ts';

export type UserProof = {
  readonly tenantId: number;
  readonly userId: number;
  readonly given: Static<typeof SessionConfirmation>;
  readonly address: string;
  readonly relyingParty: RelyingParty;
};

type Check = (runtime: Runtime, proof: UserProof) => Promise<boolean>;

/** Refuses whoever is not the user of the session. Wrong proofs count as in a log-in. */
export async function confirmUser(runtime: Runtime, proof: UserProof): Promise<void> {
  const checks = { password: isPassword, totp: isTotp, passkey: isPasskey } satisfies Record<string, Check>;
  const names = Object.keys(checks).filter((name) => name in proof.given) as (keyof typeof checks)[];
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) throw invalid('', 'needs one of password, totp and passkey');
  if (!(await checks[name](runtime, proof))) throw invalid(`/${name}`, 'is wrong');
}

/** Counts under the same subject as the change of the own password: both can be tried at a desk that is signed in. */
async function isPassword(
  { database }: Runtime,
  { tenantId, userId, given, address }: UserProof,
): Promise<boolean> {
  const subjects = loginSubjects(`password of user ${tenantId}/${userId}`, address);
  await refuseWhileDelayed(database, subjects);
  const hash = await readTenant(database, tenantId, (transaction) => findPasswordHash(transaction, userId));
  if (await verifyPassword(given.password ?? '', hash)) return true;
  await countLoginFailure(database, subjects);
  return false;
}

function isTotp({ database, box }: Runtime, { tenantId, userId, given }: UserProof): Promise<boolean> {
  return inTenant(database, tenantId, (transaction) =>
    checkCode(transaction, box, { userId, given: { kind: 'totp', code: given.totp ?? '' } }),
  );
}

async function isPasskey(
  { database, box }: Runtime,
  { tenantId, userId, given, relyingParty }: UserProof,
): Promise<boolean> {
  const proof = readProof(given.passkey);
  if (!proof) return false;
  return inTenant(database, tenantId, (transaction) =>
    checkPasskey(transaction, box, { userId, proof, relyingParty }),
  );
}

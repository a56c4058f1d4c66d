import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { checkCode, type GivenCode } from '../second-factors/check-code.ts';
import { checkPasskey } from '../second-factors/check-passkey.ts';
import {
  countStepTry,
  deleteLogInStep,
  type LogInStep,
  lockLogInStep,
  readStepToken,
} from '../second-factors/log-in-step.store.ts';
import { readProof } from '../second-factors/passkey-answer.ts';
import type { RelyingParty } from '../second-factors/relying-party.ts';
import { type Account, findAccount, type Login } from './account.store.ts';
import { auditRefusedLogin } from './audit-refused-log-in.ts';
import type { LoginRules } from './log-in.ts';
import { clearLoginFailures } from './login-delay.store.ts';
import { loginSubjects } from './login-subjects.ts';
import { type LoginClient, openSession } from './open-session.ts';
import { issueLoginTokens, type LoginTokens, type OpenSession } from './session-tokens.ts';

/** The second factor of a user: a code, or the answer of an authenticator in JSON. */
export type GivenFactor = GivenCode | { readonly kind: 'passkey'; readonly proof: string };

export type SecondFactorAttempt = LoginClient & {
  readonly stepToken: string;
  readonly given: GivenFactor;
  readonly relyingParty: RelyingParty;
};

type Outcome = { kind: 'opened'; session: OpenSession } | { kind: 'ended' } | { kind: 'wrong'; login: Login };

/** Opens the session of a log-in whose password was right, if the second factor is right too; undefined otherwise. */
export async function completeLogIn(
  { database, log, box }: Runtime,
  { refusalLimit, sessionHours }: Pick<LoginRules, 'refusalLimit' | 'sessionHours'>,
  { stepToken, given, relyingParty, ...client }: SecondFactorAttempt,
): Promise<LoginTokens | undefined> {
  const read = readStepToken(stepToken);
  if (!read) return undefined;
  const { tenantId, hash } = read;
  const { origin } = client;
  const outcome = await inTenant(database, tenantId, async (transaction): Promise<Outcome> => {
    const step = await lockLogInStep(transaction, hash);
    const account = step && (await findAccount(transaction, step.userId));
    if (!step || account?.enabled !== true) return { kind: 'ended' };
    if (!(await isRight(transaction, { box, account, given, relyingParty }))) {
      await countStepTry(transaction, step);
      return { kind: 'wrong', login: { tenantId, userId: step.userId } };
    }
    await endStep(transaction, step, origin.address);
    const session = { ...client, account, sessionHours, secondFactor: true };
    return { kind: 'opened', session: await openSession(transaction, session) };
  });
  if (outcome.kind === 'wrong') {
    const { login } = outcome;
    await auditRefusedLogin(
      { database, log },
      { login, origin, reason: 'wrong second factor', refusalLimit },
    );
    log.info({ ...login, address: origin.address }, 'log-in refused');
  }
  if (outcome.kind !== 'opened') return undefined;
  const { sessionId, account } = outcome.session;
  log.info({ tenantId, userId: account.userId, sessionId, by: given.kind }, 'logged in');
  return issueLoginTokens({ database, box }, outcome.session);
}

type Asked = {
  box: Runtime['box'];
  account: Account;
  given: GivenFactor;
  relyingParty: RelyingParty;
};

/** Passkeys cannot be guessed, so they are checked even while codes have to wait. */
async function isRight(
  transaction: TenantTransaction,
  { box, account: { userId }, given, relyingParty }: Asked,
): Promise<boolean> {
  if (given.kind !== 'passkey') return checkCode(transaction, box, { userId, given });
  const proof = readProof(given.proof);
  return proof !== undefined && checkPasskey(transaction, box, { userId, proof, relyingParty });
}

/** Only now are earlier wrong passwords forgotten: whoever knows the password alone does not reset their count. */
async function endStep(transaction: TenantTransaction, step: LogInStep, address: string): Promise<void> {
  await deleteLogInStep(transaction, step);
  await clearLoginFailures(transaction, loginSubjects(step.failureSubject, address));
}

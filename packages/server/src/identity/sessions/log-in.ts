import type { SecondFactorMethod } from '@tocsin/contract';
import type { RefusalLimit } from '../../audit/refusal-limit.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import {
  inTenant,
  outsideTenants,
  readTenant,
  type TenantTransaction,
} from '../../postgres/tenant-transaction.ts';
import { insertLogInStep } from '../second-factors/log-in-step.store.ts';
import { secondFactorMethods } from '../second-factors/second-factor-methods.store.ts';
import { type Account, findAccount, findLogin, findPasswordHash, type Login } from './account.store.ts';
import { auditRefusedLogin } from './audit-refused-log-in.ts';
import { clearLoginFailures } from './login-delay.store.ts';
import type { LoginSubjects } from './login-delay.ts';
import { countLoginFailure, refuseWhileDelayed } from './login-failures.ts';
import type { LoginLimit, LoginQueue } from './login-queue.ts';
import { loginSubjects } from './login-subjects.ts';
import { type LoginClient, openSession } from './open-session.ts';
import { verifyPassword } from './password.ts';
import type { PasswordsElsewhere } from './passwords-elsewhere.ts';
import { issueLoginTokens, type LoginTokens, type OpenSession } from './session-tokens.ts';

export type LoginAttempt = LoginClient & { username: string; password: string };

export type LoginRules = {
  queue: LoginQueue;
  refusalLimit: RefusalLimit;
  sessionHours: number;
  passwordsElsewhere: PasswordsElsewhere;
};

/** The password was right, and a second factor is needed. `token` stands for the password in the next step. */
export type SecondStep = { kind: 'second-step'; token: string; methods: SecondFactorMethod[] };

type Outcome = SecondStep | { kind: 'opened'; session: OpenSession };

/** Passwords that are hashed at a time, so that a flood of log-ins leaves threads for other work. */
const maxConcurrentHashes = 3;
const noUser: Login = { tenantId: 0, userId: 0 };

/**
 * Opens a session if the password is right and the user has no second factor; undefined if it is wrong, for any reason
 * and after the same work. Log-ins of one name from one network run one after the other, so that parallel guesses cannot
 * outrun the count of failures, and other networks cannot fill the queue of a name.
 */
export async function logIn(
  { database, log, box }: Runtime,
  { queue, refusalLimit, sessionHours, passwordsElsewhere }: LoginRules,
  { username, password, ...client }: LoginAttempt,
): Promise<LoginTokens | SecondStep | undefined> {
  const { origin } = client;
  const { failureSubject, login } = await outsideTenants(database, (outside) => findLogin(outside, username));
  const subjects = loginSubjects(failureSubject, origin.address);
  const elsewhere = await passwordsElsewhere.find(username, login);
  const limits = elsewhere ? limitsElsewhere(subjects) : limitsHere(subjects);

  return queue(limits, async () => {
    await refuseWhileDelayed(database, subjects);
    const { tenantId } = elsewhere ?? login ?? noUser;
    const account = elsewhere
      ? await elsewhere.check({ password, subjects, origin })
      : await checkPassword({ database }, login ?? noUser, password);
    if (!account) {
      await countLoginFailure(database, subjects);
      const reason = 'wrong password, or the user is disabled or has none';
      // Not awaited: the response time must not reveal whether the user exists.
      if (login) void auditRefusedLogin({ database, log }, { login, origin, reason, refusalLimit });
      log.info({ ...login, address: origin.address }, 'log-in refused');
      return undefined;
    }
    const outcome = await inTenant(database, tenantId, async (transaction): Promise<Outcome> => {
      const step = await secondStep(transaction, account, failureSubject);
      if (step) return step;
      await clearLoginFailures(transaction, subjects);
      const session = { ...client, account, sessionHours, secondFactor: false };
      return { kind: 'opened', session: await openSession(transaction, session) };
    });
    if (outcome.kind === 'second-step') return outcome;
    log.info({ tenantId, userId: account.userId, sessionId: outcome.session.sessionId }, 'logged in');
    return issueLoginTokens({ database, box }, outcome.session);
  });
}

function limitsHere({ address, nameInNetwork }: LoginSubjects): LoginLimit[] {
  return [
    { key: address, maxConcurrent: 2 },
    { key: nameInNetwork, maxConcurrent: 1 },
    { key: 'everybody', maxConcurrent: maxConcurrentHashes },
  ];
}

/** Of their own, because a directory that hangs must not delay log-ins that do not need it. */
function limitsElsewhere({ address, nameInNetwork }: LoginSubjects): LoginLimit[] {
  return [
    { key: `elsewhere ${address}`, maxConcurrent: 4 },
    { key: nameInNetwork, maxConcurrent: 1 },
  ];
}

/** Undefined for a user without a second factor. Wrong passwords still count until the log-in is complete. */
async function secondStep(
  transaction: TenantTransaction,
  { userId }: Account,
  failureSubject: string,
): Promise<SecondStep | undefined> {
  const methods = await secondFactorMethods(transaction, userId);
  if (methods.length === 0) return undefined;
  const token = await insertLogInStep(transaction, { userId, failureSubject });
  return { kind: 'second-step', token, methods };
}

async function checkPassword(
  { database }: Pick<Runtime, 'database'>,
  { tenantId, userId }: Login,
  password: string,
): Promise<Account | undefined> {
  const { account, hash } = await readTenant(database, tenantId, async (transaction) => ({
    account: await findAccount(transaction, userId),
    hash: await findPasswordHash(transaction, userId),
  }));
  const matches = await verifyPassword(password, hash);
  return matches && account?.enabled === true ? account : undefined;
}

import { addSeconds, epochSeconds } from '@tocsin/domain';
import { appendAudit } from '../../audit/audit.store.ts';
import type { AuditOrigin } from '../../audit/audit-entry.ts';
import type { RefusalLimit } from '../../audit/refusal-limit.ts';
import type { AtDesk, Principal } from '../../http/principal.ts';
import { readSecuritySettings } from '../../identity/security-settings/security-settings.store.ts';
import { saveLoginFailures } from '../../identity/sessions/login-delay.store.ts';
import { secondsToWait } from '../../identity/sessions/login-delay.ts';
import { insertSession } from '../../identity/sessions/session.store.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { inTenant, type TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { checkPin } from '../self-service/user-pin.store.ts';
import {
  type DeskPersonRow,
  endSessionsAtDesk,
  findDeskPerson,
  forgiveGuesses,
  lockDesk,
  lockGuesses,
  type OpenDesk,
} from './desk.store.ts';
import { afterWrongGuess, guessCounts } from './desk-guesses.ts';

/** How somebody shows who they are. */
export type Proof = { userId: number; pin: string } | { badgeHash: Buffer };

export type SwitchAttempt = { proof: Proof; origin: AuditOrigin; refusalLimit: RefusalLimit };

/** A person who is signed in at a desk. */
export type SignedInAtDesk = {
  kind: 'signed-in';
  person: DeskPersonRow;
  sessionId: string;
  now: Date;
  /** When they are signed out unless they act. */
  seconds: number;
  /** When they are signed out in any case. */
  deskSeconds: number;
};

export type SwitchOutcome =
  | SignedInAtDesk
  | { kind: 'wrong' }
  | { kind: 'closed' }
  | { kind: 'wait'; seconds: number };

/** Signs a person in at a desk, and signs out whoever was there before. Wrong tries count at all servers together. */
export function switchPerson(
  { database }: Pick<Runtime, 'database'>,
  { tenantId, stationIds, desk }: Principal & { desk: AtDesk },
  { proof, origin, refusalLimit }: SwitchAttempt,
): Promise<SwitchOutcome> {
  const { sessionId: deskSessionId } = desk;
  const userId = 'userId' in proof ? proof.userId : undefined;
  return inTenant(database, tenantId, async (transaction): Promise<SwitchOutcome> => {
    const open = await lockDesk(transaction, deskSessionId);
    if (!open) return { kind: 'closed' };
    const { now } = transaction;
    const counts = await lockGuesses(transaction, guessCounts(tenantId, { deskSessionId, userId }));
    const wait = secondsToWait(
      counts.map(({ before }) => before),
      now,
    );
    if (wait > 0) return { kind: 'wait', seconds: wait };
    const person = await findDeskPerson(transaction, stationIds, proof);
    if (!person || !(await isProven(transaction, proof))) {
      for (const { subject, firstDelayed, before } of counts)
        await saveLoginFailures(transaction, subject, afterWrongGuess(before, firstDelayed, now));
      await auditWrong(transaction, { origin, refusalLimit, deskSessionId, userId });
      return { kind: 'wrong' };
    }
    if (userId !== undefined) await forgiveGuesses(transaction, counts);
    return signIn(transaction, { deskSessionId, open, person, origin });
  });
}

async function isProven(transaction: TenantTransaction, proof: Proof): Promise<boolean> {
  return 'badgeHash' in proof || (await checkPin(transaction, proof.userId, proof.pin)) === 'right';
}

type SignIn = { deskSessionId: string; open: OpenDesk; person: DeskPersonRow; origin: AuditOrigin };

async function signIn(
  transaction: TenantTransaction,
  { deskSessionId, open, person, origin }: SignIn,
): Promise<SignedInAtDesk> {
  const { now } = transaction;
  const { deskMinutes } = (await readSecuritySettings(transaction)).settings;
  const wanted = addSeconds(now, deskMinutes * 60);
  const expiresAt = wanted < open.expiresAt ? wanted : open.expiresAt;
  await endSessionsAtDesk(transaction, { deskSessionId, reason: 'somebody else signed in at the desk' });
  const sessionId = crypto.randomUUID();
  const { address } = origin;
  const device = `desk ${open.name}`;
  await insertSession(transaction, {
    id: sessionId,
    userId: person.id,
    expiresAt,
    device,
    address,
    deskSessionId,
    secondFactor: false,
  });
  const actor = { kind: 'user' as const, id: String(person.id), name: person.name };
  const act = { action: 'desk.switch', object: { kind: 'session', id: deskSessionId } };
  const after = { desk: open.name, sessionId };
  await appendAudit(transaction, [{ ...origin, ...act, actor, after }], now);
  const secondsUntil = (end: Date) => epochSeconds(end) - epochSeconds(now);
  return {
    kind: 'signed-in',
    person,
    sessionId,
    now,
    seconds: secondsUntil(expiresAt),
    deskSeconds: secondsUntil(open.expiresAt),
  };
}

type Wrong = Pick<SwitchAttempt, 'origin' | 'refusalLimit'> & {
  deskSessionId: string;
  userId: number | undefined;
};

/** At most once a minute for each person at a desk, so that guessing cannot fill the trail. */
async function auditWrong(
  transaction: TenantTransaction,
  { origin, refusalLimit, deskSessionId, userId }: Wrong,
): Promise<void> {
  const counted = refusalLimit(`${transaction.tenantId} ${deskSessionId} ${userId ?? 'badge'}`);
  if (!counted) return;
  const act = { action: 'desk.refuse', object: { kind: 'session', id: deskSessionId } };
  const reason = userId === undefined ? 'unknown badge' : `wrong PIN of user ${userId}`;
  await appendAudit(transaction, [{ ...origin, ...act, reason, after: counted }], transaction.now);
}

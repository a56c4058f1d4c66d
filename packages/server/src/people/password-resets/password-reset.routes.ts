import { IdParams, PasswordReset, PasswordResetCode } from '@tocsin/contract';
import { addSeconds, formatUtc } from '@tocsin/domain';
import { Type } from 'typebox';
import { notFound, ProblemError } from '../../common/problem.ts';
import { answerWrite } from '../../http/answer.ts';
import { auditOrigin } from '../../http/audit-origin.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { type Principal, requireWholeTenant } from '../../http/principal.ts';
import { createLoginQueue } from '../../identity/sessions/login-queue.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { savePasswordReset } from '../password-reset.store.ts';
import { hashTypedCode, newTypedCode } from '../typed-code.ts';
import { findUser } from '../user.store.ts';
import { requireRank } from '../user-rules.ts';
import { resetPassword } from './reset-password.ts';

/** 16 letters out of 31: some 79 random bits. */
const codeGroups = 4;
const validSeconds = 86_400;
/** Tries that may wait for the same address or for a hash. */
const maxWaiting = 50;
const Empty = Type.Null({ description: 'No content.' });

/** A user who has forgotten their password gets a code from an administrator, in person or by telephone. */
export function passwordResetRoutes(app: HttpApp, runtime: Runtime): void {
  codeRoute(app, runtime);
  const queue = createLoginQueue(maxWaiting);
  app.post(
    '/api/v1/auth/password-reset',
    {
      config: { permission: 'public', audit: { action: 'user-password.reset', object: 'user' } },
      schema: {
        tags: ['auth'],
        summary: 'Set a new password with a one-time code',
        body: PasswordReset,
        response: { 204: Empty },
      },
    },
    async (request, reply) => {
      await resetPassword(runtime, queue, { ...request.body, origin: auditOrigin(request) });
      return reply.code(204).send(null);
    },
  );
}

function codeRoute(app: HttpApp, runtime: Runtime): void {
  app.post(
    '/api/v1/users/:id/password-reset',
    {
      config: {
        permission: 'people:write',
        bodyOptional: true,
        audit: { action: 'user-password.allow-reset', object: 'user' },
      },
      schema: {
        tags: ['users'],
        summary: 'Make a one-time code with which a user sets a new password',
        params: IdParams,
        body: Type.Object({}, { description: 'Nothing is asked for.' }),
        response: { 200: PasswordResetCode },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      let code: string | undefined;
      // The answer that is stored for repeated requests does not contain the code, because only its hash may be stored.
      const stored = await answerWrite(runtime, { request, reply }, async (transaction) => {
        code = newTypedCode(codeGroups);
        const expiresAt = addSeconds(transaction.now, validSeconds);
        await allowReset(transaction, principalOf(request), { id, code, expiresAt });
        const expiryTime = formatUtc(expiresAt);
        return { body: { expiryTime }, audit: { id, after: { expiryTime } } };
      });
      if (code === undefined)
        throw new ProblemError('conflict', `The code of user ${id} is shown once only: make another`);
      return { code, ...stored };
    },
  );
}

async function allowReset(
  transaction: TenantTransaction,
  principal: Principal,
  { id, code, expiresAt }: { id: number; code: string; expiresAt: Date },
): Promise<void> {
  requireWholeTenant(principal);
  const user = await findUser(transaction, id, { stationIds: undefined, forUpdate: false });
  if (!user) throw notFound('user', id);
  requireRank(principal, user.role);
  await savePasswordReset(transaction, { userId: id, codeHash: hashTypedCode(code), expiresAt });
}

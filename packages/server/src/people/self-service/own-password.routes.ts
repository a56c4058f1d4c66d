import { IdParams, OwnPassword } from '@tocsin/contract';
import { Type } from 'typebox';
import { answerWrite } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { createLoginQueue } from '../../identity/sessions/login-queue.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { deletePasswordReset } from '../password-reset.store.ts';
import { savePasswordHash } from '../user.store.ts';
import { revokeSessions } from '../user-use.store.ts';
import { hashOwnPassword } from './own-password.ts';
import { lockOwnUser } from './own-user.ts';

/** Changes that may wait for the same user or for a hash. */
const maxWaiting = 20;
const Empty = Type.Null({ description: 'No content.' });

/** Users change their own password. All their other sessions end. */
export function ownPasswordRoutes(app: HttpApp, runtime: Runtime): void {
  const inTurn = createLoginQueue(maxWaiting);
  app.put(
    '/api/v1/users/:id/password',
    {
      config: { permission: 'self', audit: { action: 'user-password.change', object: 'user' } },
      schema: {
        tags: ['users'],
        summary: 'Change your own password',
        params: IdParams,
        body: OwnPassword,
        response: { 204: Empty },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const { id } = request.params;
      const { ip: address, body } = request;
      const limits = [
        { key: `user ${principal.tenantId}/${id}`, maxConcurrent: 1 },
        { key: 'everybody', maxConcurrent: 2 },
      ];
      const hash = await inTurn(limits, () => hashOwnPassword(runtime, principal, { id, address, ...body }));
      await answerWrite(runtime, { request, reply }, async (transaction) => {
        await lockOwnUser(transaction, principal, { id, what: 'password' });
        await savePasswordHash(transaction, id, hash);
        await deletePasswordReset(transaction, id);
        const { sessionId: but } = principal;
        await revokeSessions(transaction, { userId: id, reason: 'password changed', but });
        return { body: null, audit: { id, after: { password: 'changed' } } };
      });
      return reply.code(204).send(null);
    },
  );
}

import { IdParams, SecondFactors } from '@tocsin/contract';
import { Type } from 'typebox';
import { answerRead, answerWrite } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { requireWholeTenant } from '../../http/principal.ts';
import { deleteSecondFactors } from '../../identity/second-factors/second-factor-methods.store.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { lockOwnUser, requireOwnUser } from '../self-service/own-user.ts';
import { revokeSessions } from '../user-use.store.ts';
import { readSecondFactors } from './own-factors.ts';

const path = '/api/v1/users/:id/second-factors';
const tags = ['users'];
const Empty = Type.Null({ description: 'No content.' });

/** The second factors of a user, and their reset by an administrator for somebody who has lost all of them. */
export function secondFactorsRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    path,
    {
      config: { permission: 'self', beforeSecondFactor: true },
      schema: {
        tags,
        summary: 'Read which second factors a user has',
        params: IdParams,
        response: { 200: SecondFactors },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const { id } = request.params;
        const asked = { id, what: 'second factors' };
        const { user } = await requireOwnUser(transaction, principalOf(request), asked);
        return readSecondFactors(transaction, user);
      }),
  );

  app.delete(
    path,
    {
      config: {
        permission: 'people:write',
        confirm: true,
        audit: { action: 'second-factors.reset', object: 'user' },
      },
      schema: {
        tags,
        summary: 'Remove all second factors of a user, and end their sessions',
        params: IdParams,
        response: { 204: Empty },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const principal = principalOf(request);
      requireWholeTenant(principal);
      await answerWrite(runtime, { request, reply }, async (transaction) => {
        const { user } = await lockOwnUser(transaction, principal, { id, what: 'second factors' });
        const before = await readSecondFactors(transaction, user);
        await deleteSecondFactors(transaction, id);
        await revokeSessions(transaction, { userId: id, reason: 'second factors reset' });
        const after = await readSecondFactors(transaction, user);
        return { body: null, audit: { id, before, after } };
      });
      return reply.code(204).send(null);
    },
  );
}

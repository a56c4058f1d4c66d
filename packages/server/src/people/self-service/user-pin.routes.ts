import { IdParams, PinBody } from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { invalid } from '../../common/problem.ts';
import { type Answer, answerWrite } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { lockOwnUser } from './own-user.ts';
import { isTrivialPin } from './trivial-pin.ts';
import { deletePin, hasPin, savePin } from './user-pin.store.ts';

const tags = ['users'];
const path = '/api/v1/users/:id/pin';
const Empty = Type.Null({ description: 'No content.' });

/** The PIN that people enter on the telephone. Users set their own, administrators that of others. */
export function userPinRoutes(app: HttpApp, runtime: Runtime): void {
  app.put(
    path,
    {
      config: { permission: 'self', audit: { action: 'user-pin.change', object: 'user' } },
      schema: {
        tags,
        summary: 'Set the PIN that a user enters on the telephone',
        params: IdParams,
        body: PinBody,
        response: { 204: Empty },
      },
    },
    async (request, reply) => {
      const { pin } = request.body;
      if (isTrivialPin(pin)) throw invalid('/pin', 'is one of the first that others would try: take another');
      await answerWrite(runtime, { request, reply }, (transaction) =>
        changePin(transaction, request, { hasPin: true, write: (id) => savePin(transaction, id, pin) }),
      );
      return reply.code(204).send(null);
    },
  );

  app.delete(
    path,
    {
      config: { permission: 'self', audit: { action: 'user-pin.delete', object: 'user' } },
      schema: { tags, summary: 'Delete the PIN of a user', params: IdParams, response: { 204: Empty } },
    },
    async (request, reply) => {
      await answerWrite(runtime, { request, reply }, (transaction) =>
        changePin(transaction, request, { hasPin: false, write: (id) => deletePin(transaction, id) }),
      );
      return reply.code(204).send(null);
    },
  );
}

/** The audit trail shows that there is a PIN, never the PIN. */
async function changePin(
  transaction: TenantTransaction,
  request: FastifyRequest<{ Params: IdParams }>,
  { write, ...after }: { hasPin: boolean; write: (id: number) => Promise<void> },
): Promise<Answer<null>> {
  const { id } = request.params;
  await lockOwnUser(transaction, principalOf(request), { id, what: 'PIN' });
  const before = { hasPin: await hasPin(transaction, id) };
  await write(id);
  return { body: null, audit: { id, before, after } };
}

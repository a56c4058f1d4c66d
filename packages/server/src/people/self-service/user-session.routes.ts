import { IdParams, SessionParams, type UserSession, UserSessions } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { Type } from 'typebox';
import { notFound } from '../../common/problem.ts';
import { answerRead, answerWrite } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import { lockOwnUser, requireOwnUser } from './own-user.ts';
import { endSessionOf, listOpenSessions, type OpenSessionRow } from './user-session.store.ts';

const tags = ['users'];
const Empty = Type.Null({ description: 'No content.' });

/** Where a user is signed in. Users see and end their own sessions, administrators those of others. */
export function userSessionRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/users/:id/sessions',
    {
      config: { permission: 'self' },
      schema: {
        tags,
        summary: 'List the sessions of a user that go on',
        params: IdParams,
        response: { 200: UserSessions },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const principal = principalOf(request);
        const { id } = request.params;
        await requireOwnUser(transaction, principal, { id, what: 'sessions' });
        const rows = await listOpenSessions(transaction, id);
        return { items: rows.map((row) => toWire(row, principal.sessionId)) };
      }),
  );

  app.delete(
    '/api/v1/users/:id/sessions/:session',
    {
      config: { permission: 'self', audit: { action: 'session.end', object: 'session' } },
      schema: { tags, summary: 'End a session of a user', params: SessionParams, response: { 204: Empty } },
    },
    async (request, reply) => {
      const { id, session: sessionId } = request.params;
      await answerWrite(runtime, { request, reply }, async (transaction) => {
        const principal = principalOf(request);
        await lockOwnUser(transaction, principal, { id, what: 'sessions' });
        const reason = `ended by ${principal.name}`;
        const isEnded = await endSessionOf(transaction, { userId: id, sessionId, reason });
        if (!isEnded) throw notFound('session', sessionId);
        return { body: null, audit: { id: sessionId, before: { userId: id } } };
      });
      return reply.code(204).send(null);
    },
  );
}

function toWire(
  { id, createdAt, expiresAt, lastUsedAt, device, address }: OpenSessionRow,
  currentId: string | undefined,
): UserSession {
  return {
    id,
    openTime: formatUtc(createdAt),
    lastUse: formatUtc(lastUsedAt ?? createdAt),
    endTime: formatUtc(expiresAt),
    device,
    address,
    isCurrent: id === currentId,
  };
}

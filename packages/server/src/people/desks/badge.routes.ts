import { BadgeBody, DeskPerson, IdParams } from '@tocsin/contract';
import { Type } from 'typebox';
import { notFound, ProblemError } from '../../common/problem.ts';
import { answerWrite } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { type Principal, requireWholeTenant } from '../../http/principal.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { findUser, type UserRow } from '../user.store.ts';
import { requireRank } from '../user-rules.ts';
import { saveBadge } from './badge.store.ts';
import { createBadgeHash } from './badge-hash.ts';

const tags = ['users'];
const path = '/api/v1/users/:id/badge';
const Empty = Type.Null({ description: 'No content.' });

/** The badge with which a user signs in at shared desks. The audit trail shows that there is one, never its number. */
export function badgeRoutes(app: HttpApp, runtime: Runtime): void {
  const hashBadge = createBadgeHash(runtime);
  app.put(
    path,
    {
      config: { permission: 'people:write', audit: { action: 'user-badge.change', object: 'user' } },
      schema: {
        tags,
        summary: 'Give a user a badge for shared desks',
        params: IdParams,
        body: BadgeBody,
        response: { 200: DeskPerson },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const principal = principalOf(request);
      const hash = await hashBadge(principal.tenantId, request.body.badge);
      return answerWrite(runtime, { request, reply }, async (transaction) => {
        const { name } = await lockUser(transaction, principal, id);
        if (!(await saveBadge(transaction, id, hash)))
          throw new ProblemError('conflict', 'Another user has this badge: take it from them first');
        return { body: { id, name }, audit: { id, after: { hasBadge: true } } };
      });
    },
  );

  app.delete(
    path,
    {
      config: { permission: 'people:write', audit: { action: 'user-badge.delete', object: 'user' } },
      schema: { tags, summary: 'Take the badge of a user', params: IdParams, response: { 204: Empty } },
    },
    async (request, reply) => {
      const { id } = request.params;
      await answerWrite(runtime, { request, reply }, async (transaction) => {
        await lockUser(transaction, principalOf(request), id);
        await saveBadge(transaction, id, null);
        return { body: null, audit: { id, after: { hasBadge: false } } };
      });
      return reply.code(204).send(null);
    },
  );
}

async function lockUser(transaction: TenantTransaction, principal: Principal, id: number): Promise<UserRow> {
  requireWholeTenant(principal);
  const user = await findUser(transaction, id, { stationIds: undefined, forUpdate: true });
  if (!user) throw notFound('user', id);
  requireRank(principal, user.role);
  return user;
}

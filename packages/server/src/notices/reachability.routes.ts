import { IdParams, ListReachability, UserReachability, UserReachabilityPage } from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { notFound, ProblemError } from '../common/problem.ts';
import { readCallDirectory } from '../escalations/call-directory.store.ts';
import { answerRead, answerWrite } from '../http/answer.ts';
import { principalOf } from '../http/authorization.ts';
import type { HttpApp } from '../http/http-app.ts';
import { page, pageRequest } from '../http/page.ts';
import { requireWholeTenant } from '../http/principal.ts';
import { findUser } from '../people/user.store.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { listVisiblePeople } from './notice.store.ts';
import { readReachability } from './read-reachability.ts';
import { startTest } from './start-test.ts';

const tags = ['users'];
const NoMembers = Type.Object({}, { description: 'Nothing is asked for.' });

/** Whether people can be reached: tests of their media, and the last results. */
export function reachabilityRoutes(app: HttpApp, runtime: Runtime): void {
  app.post(
    '/api/v1/users/:id/reachability-test',
    {
      config: {
        permission: 'self',
        bodyOptional: true,
        audit: { action: 'reachability.test', object: 'user' },
      },
      schema: {
        tags,
        summary: 'Send a test to each medium of a user',
        params: IdParams,
        body: NoMembers,
        response: { 200: UserReachability },
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const { id } = request.params;
        await requireVisible(transaction, request, 'people:write');
        const body = await test(transaction, id, principalOf(request).name);
        const media = body.media.map(({ medium }) => medium);
        return { body, audit: { id, after: { media } } };
      }),
  );

  app.get(
    '/api/v1/users/:id/reachability',
    {
      config: { permission: 'self' },
      schema: {
        tags,
        summary: 'Read the last test of each medium of a user',
        params: IdParams,
        response: { 200: UserReachability },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        await requireVisible(transaction, request, 'people:read');
        return readOne(transaction, request.params.id);
      }),
  );

  reachabilityListRoute(app, runtime);
}

function reachabilityListRoute(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/reachability',
    {
      config: { permission: 'people:read' },
      schema: {
        tags,
        summary: 'List who can be reached, by the last tests',
        querystring: ListReachability,
        response: { 200: UserReachabilityPage },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const { reached } = request.query;
        const asked = pageRequest(request.query);
        const people = await listVisiblePeople(transaction, principalOf(request).stationIds);
        const all = await readReachability(transaction, people);
        const wanted = reached === undefined ? all : all.filter((one) => one.reached === reached);
        const sorted = asked.descending ? wanted.toReversed() : wanted;
        return page(sorted.slice(asked.offset, asked.offset + asked.limit), asked, wanted.length);
      }),
  );
}

/** Sends the test. Only people who can be called are tested. */
async function test(transaction: TenantTransaction, id: number, by: string): Promise<UserReachability> {
  const person = (await readCallDirectory(transaction)).people.get(id);
  if (!person || person.media.length === 0)
    throw new ProblemError(
      'conflict',
      `User ${id} cannot be called: enable the user and one of their media first`,
    );
  if ((await startTest(transaction, person, by)) === undefined)
    throw new ProblemError('conflict', `${person.name} is being tested: wait for the result`);
  return readOne(transaction, id);
}

async function readOne(transaction: TenantTransaction, id: number): Promise<UserReachability> {
  const [person] = await listVisiblePeople(transaction, undefined, id);
  if (!person) throw notFound('user', id);
  const [result] = await readReachability(transaction, [person]);
  if (!result) throw notFound('user', id);
  return result;
}

/** Refuses everybody but the user and those with the permission. */
async function requireVisible(
  transaction: TenantTransaction,
  request: FastifyRequest<{ Params: IdParams }>,
  permission: 'people:read' | 'people:write',
): Promise<void> {
  const principal = principalOf(request);
  const { id } = request.params;
  if (principal.userId === id) return;
  if (!principal.permissions.has(permission))
    throw new ProblemError(
      'not-allowed',
      `${principal.name} (${principal.role}) may test only their own media`,
    );
  if (permission === 'people:write') requireWholeTenant(principal);
  const user = await findUser(transaction, id, { stationIds: principal.stationIds, forUpdate: false });
  if (!user) throw notFound('user', id);
}

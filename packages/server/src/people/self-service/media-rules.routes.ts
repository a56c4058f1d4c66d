import { IdParams, MediaRules, MediaRulesBody } from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { notFound, ProblemError } from '../../common/problem.ts';
import { type Answer, answerRead, answerWrite } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { Principal } from '../../http/principal.ts';
import { zoneOfStation } from '../../plant/station.store.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import { findUser, type UserRow } from '../user.store.ts';
import { readMediaRules, saveMediaRules } from './media-rules.store.ts';
import { mediaRulesRecord, mediaRulesToWire } from './media-rules.wire.ts';
import { lockOwnUser } from './own-user.ts';

const tags = ['users'];
const path = '/api/v1/users/:id/media-rules';

/** The rules by which a user is called. Users change their own, administrators those of others. */
export function mediaRulesRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    path,
    {
      config: { permission: 'self' },
      schema: {
        tags,
        summary: 'The rules by which media, in which order and at which times a user is called',
        params: IdParams,
        response: { 200: MediaRules },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const user = await requireVisible(transaction, principalOf(request), request.params.id);
        return readWire(transaction, user);
      }),
  );

  app.put(
    path,
    {
      config: { permission: 'self', audit: { action: 'media-rules.change', object: 'user' } },
      schema: {
        tags,
        summary: 'Replace the rules by which a user is called; quiet hours never apply to priority 1',
        params: IdParams,
        body: MediaRulesBody,
        response: { 200: MediaRules },
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, (transaction) => changeRules(transaction, request)),
  );
}

async function changeRules(
  transaction: TenantTransaction,
  request: FastifyRequest<{ Params: IdParams; Body: MediaRulesBody }>,
): Promise<Answer<MediaRules>> {
  const { id } = request.params;
  const { user } = await lockOwnUser(transaction, principalOf(request), { id, what: 'media rules' });
  const rules = mediaRulesRecord(request.body);
  const before = await readWire(transaction, user);
  await saveMediaRules(transaction, id, rules);
  const after = await readWire(transaction, user);
  return { body: after, audit: { id, before, after } };
}

/** Users read their own rules, whatever their role; others need to see the user. */
async function requireVisible(
  transaction: TenantTransaction,
  { userId, name, role, permissions, stationIds }: Principal,
  id: number,
): Promise<UserRow> {
  const isSelf = userId === id;
  if (!isSelf && !permissions.has('people:read'))
    throw new ProblemError('not-allowed', `${name} (${role}) may read only their own media rules`);
  const scope = isSelf ? undefined : stationIds;
  const user = await findUser(transaction, id, { stationIds: scope, forUpdate: false });
  if (!user) throw notFound('user', id);
  return user;
}

async function readWire(
  transaction: TenantTransaction,
  { id, stationIds: [stationId] }: UserRow,
): Promise<MediaRules> {
  const stationTimeZone = await zoneOfStation(transaction, stationId);
  return mediaRulesToWire(await readMediaRules(transaction, id), { stationTimeZone });
}

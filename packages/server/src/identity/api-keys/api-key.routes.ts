import {
  ApiKey,
  ApiKeyBody,
  ApiKeyPage,
  Approval,
  CreatedApiKey,
  IdParams,
  ListApiKeys,
} from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { notFound, ProblemError } from '../../common/problem.ts';
import { answerRead, answerWrite } from '../../http/answer.ts';
import { principalOf } from '../../http/authorization.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { page, pageRequest } from '../../http/page.ts';
import { ownerOf, requireWholeTenant } from '../../http/principal.ts';
import type { Runtime } from '../../postgres/runtime.ts';
import type { TenantTransaction } from '../../postgres/tenant-transaction.ts';
import type { AskedAction } from '../approvals/approval-request.ts';
import { holdBack } from '../approvals/hold-back.routes.ts';
import { adoptApiKey, findApiKey, listApiKeys, revokeApiKey } from './api-key.store.ts';
import { toWire } from './api-key.wire.ts';
import { createApiKey } from './create-api-key.ts';
import { tenantZone } from './tenant-zone.store.ts';

const tags = ['apikeys'];
const reading = { permission: 'keys:read' } as const;
const writing = (verb: 'create' | 'revoke' | 'adopt') =>
  ({ permission: 'keys:write', audit: { action: `api-key.${verb}`, object: 'api-key' } }) as const;
const Empty = Type.Null({ description: 'No content.' });

export function apiKeyRoutes(app: HttpApp, runtime: Runtime): void {
  readRoutes(app, runtime);
  createRoute(app, runtime);
  revokeRoute(app, runtime);
  adoptRoute(app, runtime);
}

function readRoutes(app: HttpApp, runtime: Runtime): void {
  app.get(
    '/api/v1/apikeys',
    {
      config: reading,
      schema: { tags, summary: 'List API keys', querystring: ListApiKeys, response: { 200: ApiKeyPage } },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        requireWholeTenant(principalOf(request));
        const asked = pageRequest(request.query);
        const zone = await tenantZone(transaction);
        const { rows, total } = await listApiKeys(transaction, request.query, asked);
        return page(
          rows.map((row) => toWire(row, zone)),
          asked,
          total,
        );
      }),
  );

  app.get(
    '/api/v1/apikeys/:id',
    {
      config: reading,
      schema: { tags, summary: 'Read one API key', params: IdParams, response: { 200: ApiKey } },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        requireWholeTenant(principalOf(request));
        const row = await findApiKey(transaction, request.params.id);
        if (!row) throw notFound('API key', request.params.id);
        return toWire(row, await tenantZone(transaction));
      }),
  );
}

function createRoute(app: HttpApp, runtime: Runtime): void {
  app.post(
    '/api/v1/apikeys',
    {
      config: { ...writing('create'), confirm: true },
      schema: { tags, summary: 'Create an API key', body: ApiKeyBody, response: { 200: CreatedApiKey } },
    },
    async (request, reply) => {
      let key: string | undefined;
      const apiKey = await answerWrite(runtime, { request, reply }, async (transaction) => {
        const created = await createApiKey(transaction, principalOf(request), request.body);
        key = created.key;
        const { apiKey: after } = created;
        return { body: after, audit: { id: after.id, after } };
      });
      // The answer that is stored for repeated requests does not contain the key, because only its hash may be stored.
      if (key === undefined) {
        throw new ProblemError('conflict', `Key ${apiKey.id} was made and is shown once only: make another`);
      }
      return { ...apiKey, key };
    },
  );
}

function revokeRoute(app: HttpApp, runtime: Runtime): void {
  app.delete(
    '/api/v1/apikeys/:id',
    {
      config: { ...writing('revoke'), confirm: true },
      schema: {
        tags,
        summary: 'Revoke an API key',
        params: IdParams,
        response: { 202: Approval, 204: Empty },
      },
      preHandler: holdBack(runtime, 'keys', describeRevocation),
    },
    async (request, reply) => {
      await answerWrite(runtime, { request, reply }, async (transaction) => {
        requireWholeTenant(principalOf(request));
        const { id } = request.params;
        const before = await findApiKey(transaction, id);
        if (!before || !(await revokeApiKey(transaction, id))) throw notFound('API key', id);
        const zone = await tenantZone(transaction);
        const after = { ...before, revokedAt: before.revokedAt ?? transaction.now };
        return { body: null, audit: { id, before: toWire(before, zone), after: toWire(after, zone) } };
      });
      return reply.code(204).send(null);
    },
  );
}

/** A key that does not exist, or is revoked already, needs nobody's approval. */
async function describeRevocation(
  transaction: TenantTransaction,
  request: FastifyRequest,
): Promise<AskedAction | undefined> {
  requireWholeTenant(principalOf(request));
  const { id: keyId } = request.params as IdParams;
  const key = await findApiKey(transaction, keyId);
  if (!key || key.revokedAt) return undefined;
  const summary = `Revoke API key ${keyId} (${key.name})`;
  return { request: { action: 'keys', keyId }, summary, stationId: null };
}

function adoptRoute(app: HttpApp, runtime: Runtime): void {
  app.post(
    '/api/v1/apikeys/:id/adopt',
    {
      config: { ...writing('adopt'), bodyOptional: true },
      schema: {
        tags,
        summary: 'Become the owner of an API key, so that it does not stop with its former owner',
        params: IdParams,
        body: Type.Object({}),
        response: { 200: ApiKey },
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const { id } = request.params;
        const principal = principalOf(request);
        requireWholeTenant(principal);
        const before = await findApiKey(transaction, id);
        const found =
          (await adoptApiKey(transaction, id, ownerOf(principal))) && (await findApiKey(transaction, id));
        if (!before || !found) throw notFound('API key', id);
        const zone = await tenantZone(transaction);
        const after = toWire(found, zone);
        return { body: after, audit: { id, before: toWire(before, zone), after } };
      }),
  );
}

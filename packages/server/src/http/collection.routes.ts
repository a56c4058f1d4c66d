import { Approval, CreatedId, IdParams } from '@tocsin/contract';
import type { FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { givenSecrets, withoutSecrets } from '../audit/without-secrets.ts';
import { notFound, ProblemError } from '../common/problem.ts';
import type { Runtime } from '../postgres/runtime.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { answerRead, answerWrite } from './answer.ts';
import { principalOf } from './authorization.ts';
import type { AnyCollection, AnyItems, Collection, Items, RequestContext, WriteVerb } from './collection.ts';
import { entityTag, requireVersion } from './entity-tag.ts';
import type { HttpApp } from './http-app.ts';
import { page, pageRequest } from './page.ts';

const Empty = Type.Null({ description: 'No content.' });

/** List, read, create, replace and delete, with ETags, for one kind of configured object. */
export function collectionRoutes<Item extends TSchema, Body extends TSchema, Query extends TSchema>(
  app: HttpApp,
  runtime: Runtime,
  collection: Collection<Item, Body, Query>,
): void {
  const anyCollection = collection as unknown as AnyCollection;
  for (const route of [listRoute, createRoute]) route(app, runtime, anyCollection);
  itemRoutes(app, runtime, collection);
}

/** Read, replace and delete, for objects that are listed and created elsewhere. */
export function itemRoutes<Item extends TSchema, Body extends TSchema>(
  app: HttpApp,
  runtime: Runtime,
  items: Items<Item, Body>,
): void {
  const anyItems = items as unknown as AnyItems;
  for (const route of [readRoute, replaceRoute, deleteRoute]) route(app, runtime, anyItems);
}

function listRoute(app: HttpApp, runtime: Runtime, collection: AnyCollection): void {
  const { path, tag = path, noun, schema, list } = collection;
  app.get(
    `/api/v1/${path}`,
    {
      config: readConfig(collection),
      schema: {
        tags: [tag],
        summary: `List ${noun}s`,
        querystring: schema.query,
        response: { 200: schema.page },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const asked = pageRequest(request.query as object);
        const { items, total } = await list(contextOf(request, transaction), request.query, asked);
        return page(items, asked, total);
      }),
  );
}

function readRoute(app: HttpApp, runtime: Runtime, collection: AnyItems): void {
  const { path, tag = path, noun, schema, find } = collection;
  app.get(
    `/api/v1/${path}/:id`,
    {
      config: readConfig(collection),
      schema: { tags: [tag], summary: `Read one ${noun}`, params: IdParams, response: { 200: schema.item } },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = await answerRead(runtime, request, (transaction) =>
        find(contextOf(request, transaction), id, { forUpdate: false }),
      );
      if (!found) throw notFound(noun, id);
      reply.header('etag', entityTag(found.version));
      return found.item;
    },
  );
}

function createRoute(app: HttpApp, runtime: Runtime, collection: AnyCollection): void {
  const { path, tag = path, noun, schema, find, create } = collection;
  app.post(
    `/api/v1/${path}`,
    {
      config: writeConfig(collection, 'create'),
      schema: {
        tags: [tag],
        summary: `Create a ${noun}`,
        body: schema.body,
        response: { 200: CreatedId, ...heldBackAnswer(collection) },
      },
      ...(collection.holdBack && { preHandler: collection.holdBack }),
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const context = contextOf(request, transaction);
        const id = await refusingConflicts(noun, () => create(context, request.body));
        const created = await find(context, id, { forUpdate: false });
        return { body: id, audit: { id, after: auditedItem(collection, created?.item, request.body) } };
      }),
  );
}

function replaceRoute(app: HttpApp, runtime: Runtime, collection: AnyItems): void {
  const { path, tag = path, noun, schema, find, replace } = collection;
  app.put(
    `/api/v1/${path}/:id`,
    {
      config: writeConfig(collection, 'change'),
      schema: {
        tags: [tag],
        summary: `Replace a ${noun}`,
        params: IdParams,
        body: schema.body,
        response: { 200: schema.item, ...heldBackAnswer(collection) },
      },
      ...(collection.holdBack && { preHandler: collection.holdBack }),
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const { id } = request.params;
        const context = contextOf(request, transaction);
        const before = await findForChange(collection, context, request);
        await refusingConflicts(noun, () => replace(context, id, request.body));
        const after = await find(context, id, { forUpdate: false });
        if (!after) throw notFound(noun, id);
        const audit = {
          id,
          before: auditedItem(collection, before.item),
          after: auditedItem(collection, after.item, request.body),
        };
        return { body: after.item, headers: { etag: entityTag(after.version) }, audit };
      }),
  );
}

function deleteRoute(app: HttpApp, runtime: Runtime, collection: AnyItems): void {
  const { path, tag = path, noun, remove } = collection;
  app.delete(
    `/api/v1/${path}/:id`,
    {
      config: writeConfig(collection, 'delete'),
      schema: { tags: [tag], summary: `Delete a ${noun}`, params: IdParams, response: { 204: Empty } },
    },
    async (request, reply) => {
      const { id } = request.params;
      await answerWrite(runtime, { request, reply }, async (transaction) => {
        const context = contextOf(request, transaction);
        const before = await findForChange(collection, context, request);
        await refusingConflicts(noun, () => remove(context, id));
        return { body: null, audit: { id, before: auditedItem(collection, before.item) } };
      });
      return reply.code(204).send(null);
    },
  );
}

function contextOf(
  request: Pick<FastifyRequest, 'principal'>,
  transaction: TenantTransaction,
): RequestContext {
  return { transaction, principal: principalOf(request) };
}

function heldBackAnswer({ holdBack }: AnyItems): { 202?: TSchema } {
  return holdBack ? { 202: Approval } : {};
}

function readConfig({ permission, isReadAtDesk = false }: AnyItems) {
  return { permission: permission.read, atDesk: isReadAtDesk };
}

function writeConfig({ noun, permission, confirm = [] }: AnyItems, verb: WriteVerb) {
  const object = noun.replaceAll(' ', '-');
  const audit = { action: `${object}.${verb}`, object };
  return { permission: permission.write, audit, confirm: confirm.includes(verb) };
}

/** Locks the item for a change, unless the caller has seen another version of it. */
async function findForChange(
  { noun, find }: AnyItems,
  context: RequestContext,
  request: { params: { id: number }; headers: FastifyRequest['headers'] },
): Promise<{ item: unknown }> {
  const { id } = request.params;
  const before = await find(context, id, { forUpdate: true });
  if (!before) throw notFound(noun, id);
  requireVersion(request, before.version);
  return before;
}

/** An item as the audit trail shows it: without secrets, but with the names of the secrets that were set. */
function auditedItem(collection: AnyItems, item: unknown, body?: unknown): unknown {
  const { schema } = collection;
  if (item === undefined) return null;
  const members = withoutSecrets(schema.item, item) as object;
  const names =
    body === undefined ? [] : (collection.givenSecrets?.(body) ?? givenSecrets(schema.body, body));
  return names.length === 0 ? members : { ...members, secretsGiven: names };
}

/** A violated constraint of the database is a conflict of the caller, not a bug of the server. */
async function refusingConflicts<Result>(noun: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === '23503')
      throw new ProblemError('conflict', `The ${noun} is in use, or names something that was deleted`);
    if (code === '23505') throw new ProblemError('conflict', `Another ${noun} has that name already`);
    throw error;
  }
}

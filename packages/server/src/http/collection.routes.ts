import { CreatedId, IdParams } from '@tocsin/contract';
import { type Static, type TSchema, Type } from 'typebox';
import { givenSecrets, withoutSecrets } from '../audit/without-secrets.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { notFound, ProblemError } from '../problem.ts';
import type { Runtime } from '../runtime.ts';
import { answerRead, answerWrite } from './answer.ts';
import { principalOf } from './authorization.ts';
import { entityTag, requireVersion } from './entity-tag.ts';
import type { HttpApp } from './http-app.ts';
import { type PageRequest, page, pageRequest } from './page.ts';
import type { Permission } from './permissions.ts';
import type { Principal } from './principal.ts';

/** A transaction with the one it is done for: what a collection's functions get. */
export type Visit = { transaction: TenantTransaction; principal: Principal };

/** Configured things of one kind: how they look on the wire, and how they are kept. */
export type Collection<Item extends TSchema, Body extends TSchema, Query extends TSchema> = {
  readonly path: string;
  readonly noun: string;
  readonly permission: { read: Permission; write: Permission };
  readonly schema: { item: Item; page: TSchema; body: Body; query: Query };
  list(
    visit: Visit,
    query: Static<Query>,
    page: PageRequest,
  ): Promise<{ items: Static<Item>[]; total: number }>;
  /** Undefined when it does not exist or lies outside the principal's stations. Locks the row when `forUpdate`. */
  find(
    visit: Visit,
    id: number,
    options: { forUpdate: boolean },
  ): Promise<{ item: Static<Item>; version: number } | undefined>;
  create(visit: Visit, body: Static<Body>): Promise<number>;
  replace(visit: Visit, id: number, body: Static<Body>): Promise<void>;
  remove(visit: Visit, id: number): Promise<void>;
  /** Names of the secrets that a body sets; by default the members that its schema marks as `writeOnly`. */
  givenSecrets?(body: Static<Body>): string[];
};

/** The routes do not care what the items are; only whoever describes the collection does. */
type AnyCollection = Collection<TSchema, TSchema, TSchema>;

const Empty = Type.Null({ description: 'No content.' });

/** List, read, create, replace and delete, with ETags, for one kind of configured thing. */
export function collectionRoutes<Item extends TSchema, Body extends TSchema, Query extends TSchema>(
  app: HttpApp,
  runtime: Runtime,
  collection: Collection<Item, Body, Query>,
): void {
  const anyCollection = collection as unknown as AnyCollection;
  readRoutes(app, runtime, anyCollection);
  writeRoutes(app, runtime, anyCollection);
}

function readRoutes(
  app: HttpApp,
  runtime: Runtime,
  { path, noun, permission, schema, list, find }: AnyCollection,
): void {
  const config = { permission: permission.read };
  app.get(
    `/api/v1/${path}`,
    {
      config,
      schema: {
        tags: [path],
        summary: `List ${noun}s`,
        querystring: schema.query,
        response: { 200: schema.page },
      },
    },
    (request) =>
      answerRead(runtime, request, async (transaction) => {
        const asked = pageRequest(request.query as object);
        const visit = { transaction, principal: principalOf(request) };
        const { items, total } = await list(visit, request.query, asked);
        return page(items, asked, total);
      }),
  );

  app.get(
    `/api/v1/${path}/:id`,
    {
      config,
      schema: { tags: [path], summary: `Read one ${noun}`, params: IdParams, response: { 200: schema.item } },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = await answerRead(runtime, request, (transaction) =>
        find({ transaction, principal: principalOf(request) }, id, { forUpdate: false }),
      );
      if (!found) throw notFound(noun, id);
      reply.header('etag', entityTag(found.version));
      return found.item;
    },
  );
}

function writeRoutes(app: HttpApp, runtime: Runtime, collection: AnyCollection): void {
  const { path, noun, permission, schema, find, create, replace, remove } = collection;
  const object = noun.replaceAll(' ', '-');
  const configOf = (verb: string) => ({
    permission: permission.write,
    audit: { action: `${object}.${verb}`, object },
  });
  app.post(
    `/api/v1/${path}`,
    {
      config: configOf('create'),
      schema: { tags: [path], summary: `Create a ${noun}`, body: schema.body, response: { 200: CreatedId } },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const visit = { transaction, principal: principalOf(request) };
        const id = await refusingConflicts(noun, () => create(visit, request.body));
        const made = await find(visit, id, { forUpdate: false });
        return { body: id, audit: { id, after: shown(collection, made?.item, request.body) } };
      }),
  );

  app.put(
    `/api/v1/${path}/:id`,
    {
      config: configOf('change'),
      schema: {
        tags: [path],
        summary: `Replace a ${noun}`,
        params: IdParams,
        body: schema.body,
        response: { 200: schema.item },
      },
    },
    (request, reply) =>
      answerWrite(runtime, { request, reply }, async (transaction) => {
        const { id } = request.params;
        const visit = { transaction, principal: principalOf(request) };
        const before = await find(visit, id, { forUpdate: true });
        if (!before) throw notFound(noun, id);
        requireVersion(request, before.version);
        await refusingConflicts(noun, () => replace(visit, id, request.body));
        const after = await find(visit, id, { forUpdate: false });
        if (!after) throw notFound(noun, id);
        return {
          body: after.item,
          headers: { etag: entityTag(after.version) },
          audit: {
            id,
            before: shown(collection, before.item),
            after: shown(collection, after.item, request.body),
          },
        };
      }),
  );

  app.delete(
    `/api/v1/${path}/:id`,
    {
      config: configOf('delete'),
      schema: { tags: [path], summary: `Delete a ${noun}`, params: IdParams, response: { 204: Empty } },
    },
    async (request, reply) => {
      const { id } = request.params;
      await answerWrite(runtime, { request, reply }, async (transaction) => {
        const visit = { transaction, principal: principalOf(request) };
        const before = await find(visit, id, { forUpdate: true });
        if (!before) throw notFound(noun, id);
        requireVersion(request, before.version);
        await refusingConflicts(noun, () => remove(visit, id));
        return { body: null, audit: { id, before: shown(collection, before.item) } };
      });
      return reply.code(204).send(null);
    },
  );
}

/** An item as the audit trail shows it: without secrets, and with the names of those that were set. */
function shown(collection: AnyCollection, item: unknown, body?: unknown): unknown {
  const { schema } = collection;
  if (item === undefined) return null;
  const members = withoutSecrets(schema.item, item) as object;
  const names =
    body === undefined ? [] : (collection.givenSecrets?.(body) ?? givenSecrets(schema.body, body));
  return names.length === 0 ? members : { ...members, secretsGiven: names };
}

/** What the database's own constraints refuse is the caller's conflict, not our bug. */
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

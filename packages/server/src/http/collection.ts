import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import type { PageRequest } from './page.ts';
import type { Permission } from './permissions.ts';
import type { Principal } from './principal.ts';

/** The transaction of a request, and the caller it runs for. */
export type RequestContext = { transaction: TenantTransaction; principal: Principal };

export type WriteVerb = 'create' | 'change' | 'delete';

/** Objects of one kind that have an address each: their schemas, and the functions that read and write them. */
export type Items<Item extends TSchema, Body extends TSchema> = {
  readonly path: string;
  /** The tag of its routes in the OpenAPI document; by default the path. */
  readonly tag?: string;
  readonly noun: string;
  readonly permission: { read: Permission | 'self'; write: Permission | 'self' };
  /** Whether they are read at a shared desk, where `self` is closed otherwise. */
  readonly isReadAtDesk?: boolean;
  /** The dangerous ones, for which users confirm that it is them; by default none. */
  readonly confirm?: readonly WriteVerb[];
  readonly schema: { item: Item; body: Body };
  /** Undefined if it does not exist or is not visible to the caller. Locks the row if `forUpdate` is set. */
  find(
    context: RequestContext,
    id: number,
    options: { forUpdate: boolean },
  ): Promise<{ item: Static<Item>; version: number } | undefined>;
  replace(context: RequestContext, id: number, body: Static<Body>): Promise<void>;
  remove(context: RequestContext, id: number): Promise<void>;
  /** Runs before a creation or replacement, and may answer instead of it: with 202, if a second person has to agree. */
  readonly holdBack?: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  /** Names of the secrets that a body sets; by default the members that its schema marks as `writeOnly`. */
  givenSecrets?(body: Static<Body>): string[];
};

/** Configured objects of one kind, which are also listed and created. */
export type Collection<Item extends TSchema, Body extends TSchema, Query extends TSchema> = Items<
  Item,
  Body
> & {
  readonly schema: { item: Item; page: TSchema; body: Body; query: Query };
  list(
    context: RequestContext,
    query: Static<Query>,
    page: PageRequest,
  ): Promise<{ items: Static<Item>[]; total: number }>;
  create(context: RequestContext, body: Static<Body>): Promise<number>;
};

/** A collection of any kind: the routes do not depend on its schemas. */
export type AnyCollection = Collection<TSchema, TSchema, TSchema>;
export type AnyItems = Items<TSchema, TSchema>;

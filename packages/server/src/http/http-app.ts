import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Permission } from './permissions.ts';
import type { Principal } from './principal.ts';

/** Larger bodies are answered with 413. */
export const bodyLimit = 1_048_576;

/**
 * The record of a request that changes something. An action with the kind of its object: an entry of the audit trail, in
 * the transaction of the change. `journal`: entries of the alarm journal. `calls`: the record of calls. `nothing`: it
 * changes nothing.
 */
export type AuditRule =
  | { readonly action: string; readonly object: string }
  | 'journal'
  | 'calls'
  | 'nothing';

/** Derives the types of bodies, queries, paths and answers from their schemas. */
export interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
}

export type HttpApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The permission that the caller needs. `public`: no token. `self`: any valid token. `protocol`: the route has a
     * protocol of its own, which checks the token itself; an answer may take hours.
     */
    permission?: Permission | 'public' | 'self' | 'protocol';
    /** Whether a route for everybody (`self`) is open at a shared desk. */
    atDesk?: boolean;
    /** Required for every route that is not a GET. */
    audit?: AuditRule;
    /** A dangerous action: users are asked again for a proof that it is them, if the last one is too old. */
    confirm?: boolean;
    /** Also for users who have to set up a second factor before they may do anything else. */
    beforeSecondFactor?: boolean;
    /** The body may be missing. */
    bodyOptional?: boolean;
    /** Null members count as absent, because old clients send null for members that they do not set. */
    nullMeansAbsent?: boolean;
    /** Requests that send alarms have a bucket of their own, so that reads cannot starve them. */
    intake?: boolean;
    /** The path contains a secret, and is not logged. */
    secretPath?: boolean;
    /** For probes: a refused probe would take a busy server out of service. */
    unlimited?: boolean;
  }
  interface FastifyRequest {
    principal: Principal | undefined;
    /** The trace that the request belongs to; undefined if it is not traced. */
    traceId: string | undefined;
  }
}

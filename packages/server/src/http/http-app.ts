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

/** 413 beyond this. */
export const bodyLimit = 1_048_576;

/**
 * What a request that changes something leaves behind. An action with the kind of its object: an entry of the audit trail, in
 * the transaction of the change. `journal`: entries of the alarm journal. `calls`: the record of calls. `nothing`: it changes
 * nothing.
 */
export type AuditRule =
  | { readonly action: string; readonly object: string }
  | 'journal'
  | 'calls'
  | 'nothing';

/** Types of bodies, queries, paths and answers, out of their schemas. */
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
     * What the caller must be allowed to do. `public`: no token. `self`: any valid token. `protocol`: the route speaks
     * a protocol of its own, which looks at the token itself; an answer may take hours.
     */
    permission?: Permission | 'public' | 'self' | 'protocol';
    /** Every route that is not a GET names one. */
    audit?: AuditRule;
    /** A body may be left out altogether. */
    bodyOptional?: boolean;
    /** Members that are null count as absent: old clients send null for what they do not set. */
    nullMeansAbsent?: boolean;
    /** Requests that bring alarms in have a bucket of their own, so that reading cannot starve them. */
    intake?: boolean;
    /** The path itself is a secret, and is not written down. */
    secretPath?: boolean;
    /** Probes: refusing them would take a busy server off duty. */
    unlimited?: boolean;
  }
  interface FastifyRequest {
    principal: Principal | undefined;
  }
}

import { randomBytes } from 'node:crypto';
import type { Identity, Refusal } from '../hub/hub.ts';
import type { HeartbeatTarget } from '../runtime/heartbeat.ts';
import type { ServerContext } from '../runtime/server-context.ts';
import type { ConnectionClaims } from '../tokens/connection-token.ts';
import { CoreConnection } from './core-connection.ts';
import { createMethodMap, type HubMethods } from './invocations/invocations.ts';

type NegotiatedConnection = { readonly claims: ConnectionClaims; readonly negotiatedAt: number };

/** 128 random bits, so that ids cannot be guessed. */
const newConnectionId = () => randomBytes(16).toString('base64url');

/** The Core connections of this node: the open ones, and the negotiated ones without a transport. */
export class ConnectionManager<User> implements HeartbeatTarget {
  readonly #context: ServerContext<User>;
  readonly #methods: HubMethods<User>;
  readonly #open = new Map<string, CoreConnection<User>>();
  /** Ordered by the time of negotiation. */
  readonly #negotiated = new Map<string, NegotiatedConnection>();

  constructor(context: ServerContext<User>) {
    this.#context = context;
    this.#methods = createMethodMap(context.hub.methods);
    context.heartbeat.add(this);
  }

  negotiate(identity: Identity<User>, useStatefulReconnect: boolean): ConnectionClaims {
    const { clock, counters, limits, nodeAddress: ownerAddress } = this.#context;
    const claims = {
      generation: 'core',
      connectionId: newConnectionId(),
      ownerAddress,
      identityKey: identity.key,
      useStatefulReconnect,
    } as const;
    this.#negotiated.set(claims.connectionId, { claims, negotiatedAt: clock() });
    counters.negotiated += 1;
    const [oldest] = this.#negotiated.keys();
    if (this.#negotiated.size > limits.maxConnections && oldest !== undefined)
      this.#negotiated.delete(oldest);
    return claims;
  }

  /** Returns the open connection, or opens a negotiated one. Returns undefined if this node knows neither. */
  find(id: string, identity: Identity<User>): CoreConnection<User> | Refusal | undefined {
    const open = this.#open.get(id);
    if (open !== undefined) return open;
    const negotiated = this.#negotiated.get(id);
    if (negotiated === undefined) return undefined;
    const connection = this.open(identity, negotiated.claims);
    if (!('status' in connection)) this.#negotiated.delete(id);
    return connection;
  }

  /** Opens a connection that this node has not negotiated. */
  open(
    identity: Identity<User>,
    { connectionId, useStatefulReconnect } = {
      connectionId: newConnectionId(),
      useStatefulReconnect: false,
    },
  ): CoreConnection<User> | Refusal {
    const refusal = this.#context.admission.addConnection(identity.key);
    if (refusal !== undefined) return refusal;
    const connection = new CoreConnection(this.#context, {
      id: connectionId,
      identity,
      useStatefulReconnect,
      methods: this.#methods,
      onReleased: () => void this.#open.delete(connectionId),
    });
    this.#open.set(connectionId, connection);
    return connection;
  }

  /** True also for connections that another node negotiated and this one accepted. */
  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  onHeartbeat(now: number): void {
    for (const [id, { negotiatedAt }] of this.#negotiated) {
      if (now - negotiatedAt < this.#context.limits.disconnectTimeoutMs) return;
      this.#negotiated.delete(id);
    }
  }
}

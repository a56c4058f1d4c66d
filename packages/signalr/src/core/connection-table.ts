import { randomBytes } from 'node:crypto';
import type { ConnectionClaims } from '../connection-token.ts';
import type { FamilyContext } from '../family.ts';
import type { Beating } from '../heartbeat.ts';
import type { Identity, Refusal } from '../hub.ts';
import { CoreConnection } from './core-connection.ts';
import { type HubMethods, methodTable } from './invocations.ts';

type Negotiated = { readonly claims: ConnectionClaims; readonly at: number };

/** 128 bits, so that nobody guesses one. */
const newId = () => randomBytes(16).toString('base64url');

/** The Core connections of this node: those open, and those negotiated that have not come yet. */
export class ConnectionTable<User> implements Beating {
  readonly #context: FamilyContext<User>;
  readonly #methods: HubMethods<User>;
  readonly #open = new Map<string, CoreConnection<User>>();
  /** In the order they were negotiated. */
  readonly #negotiated = new Map<string, Negotiated>();

  constructor(context: FamilyContext<User>) {
    this.#context = context;
    this.#methods = methodTable(context.hub.methods);
    context.heartbeat.add(this);
  }

  get waiting(): number {
    return this.#negotiated.size;
  }

  /** Expects a connection of this caller. */
  negotiate(identity: Identity<User>, stateful: boolean): ConnectionClaims {
    const { clock, counters, limits, nodeAddress: owner } = this.#context;
    const claims = {
      family: 'core',
      connectionId: newId(),
      owner,
      identityKey: identity.key,
      stateful,
    } as const;
    this.#negotiated.set(claims.connectionId, { claims, at: clock() });
    counters.negotiated += 1;
    const [oldest] = this.#negotiated.keys();
    if (this.#negotiated.size > limits.connections && oldest !== undefined) this.#negotiated.delete(oldest);
    return claims;
  }

  /** The open connection, or a new one if it was negotiated here; undefined when neither. */
  find(id: string, identity: Identity<User>): CoreConnection<User> | Refusal | undefined {
    const open = this.#open.get(id);
    if (open !== undefined) return open;
    const negotiated = this.#negotiated.get(id);
    if (negotiated === undefined) return undefined;
    const made = this.open(identity, negotiated.claims);
    if (!('status' in made)) this.#negotiated.delete(id);
    return made;
  }

  /** Opens one that was not negotiated here. */
  open(
    identity: Identity<User>,
    { connectionId, stateful } = { connectionId: newId(), stateful: false },
  ): CoreConnection<User> | Refusal {
    const refusal = this.#context.admission.enter(identity.key);
    if (refusal !== undefined) return refusal;
    const connection = new CoreConnection(this.#context, {
      id: connectionId,
      identity,
      stateful,
      methods: this.#methods,
      gone: () => void this.#open.delete(connectionId),
    });
    this.#open.set(connectionId, connection);
    return connection;
  }

  /** Those adopted from another node are found by their id, too. */
  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  beat(now: number): void {
    for (const [id, { at }] of this.#negotiated) {
      if (now - at < this.#context.limits.idleMs) return;
      this.#negotiated.delete(id);
    }
  }
}

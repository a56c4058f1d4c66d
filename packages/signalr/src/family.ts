import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConnectionTokens } from './connection-token.ts';
import type { Owner } from './forwarding.ts';
import type { Framer } from './framed-message.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Authenticate, Hub, HubConnection } from './hub.ts';
import type { Admission, Limits } from './limits.ts';
import type { Origins } from './origin.ts';
import type { WebSocketAcceptor } from './transports/web-socket-sink.ts';

/** As pino's: data first, then a constant phrase. */
export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** What happened since the start. */
export type Counters = {
  negotiated: number;
  opened: number;
  closed: number;
  /** Cut for not keeping up. */
  tooSlow: number;
  /** Messages of clients. */
  received: number;
  /** Requests piped to the node that owns the connection. */
  forwarded: number;
  /** Sockets taken over from another node. */
  adopted: number;
};

/** What both families work with. */
export type FamilyContext<User> = {
  readonly hub: Hub<User>;
  readonly authenticate: Authenticate<User>;
  /** For sealing more than connection tokens: each purpose has a sealer of its own. */
  readonly secret: string | readonly string[];
  readonly tokens: ConnectionTokens;
  /** Where other nodes reach this one. */
  readonly nodeAddress: string;
  /** How another node is reached. */
  readonly ownerAt: (address: string) => Owner;
  readonly origins: Origins;
  readonly limits: Limits;
  readonly admission: Admission;
  readonly heartbeat: Heartbeat;
  readonly framer: Framer;
  readonly acceptWebSocket: WebSocketAcceptor;
  /** Those after their handshake; a family adds and removes its own. */
  readonly connections: Set<HubConnection<User>>;
  readonly counters: Counters;
  readonly log: Log;
  readonly clock: () => number;
};

/** `path` is what follows the place the family is mounted at: empty, or such as `/negotiate`. */
export type FamilyEntrance = {
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
  /** Every refusal comes before the 101. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string): Promise<void>;
};

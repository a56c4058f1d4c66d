import type { IncomingMessage } from 'node:http';
import type { HubMessage } from './hub-message.ts';

/** ASP.NET Core SignalR (`core`) or ASP.NET SignalR 2 (`classic`). Their protocols are not compatible. */
export type SignalRGeneration = 'core' | 'classic';
export type TransportType = 'webSockets' | 'serverSentEvents' | 'longPolling';

/** The authenticated caller of a request. */
export type Identity<User> = {
  readonly user: User;
  /** Identifies the caller: a connection accepts only requests with the key it was negotiated with. */
  readonly key: string;
  /** Milliseconds since 1970. The connection is closed at that time. */
  readonly expiresAt?: number | undefined;
};

/** A rejected request. The status is sent as given, before any upgrade. */
export type Refusal = { readonly status: 400 | 401 | 403 | 429 | 503; readonly reason: string };

/** Called for every request and upgrade, with the unmodified request. */
export type Authenticate<User> = (request: IncomingMessage) => Promise<Identity<User> | Refusal>;

export type CloseReason = {
  /** Sent to the client; absent for a normal close. */
  readonly error?: string;
  /** Whether clients with automatic reconnect should reconnect. */
  readonly allowReconnect: boolean;
};

/** The connection of one client, on any transport of either generation. */
export type HubConnection<User> = {
  /** The public connection id. The connection token is secret and different. */
  readonly id: string;
  readonly identity: Identity<User>;
  readonly generation: SignalRGeneration;
  readonly transportType: TransportType;
  /** False once it is closed: messages are then dropped. */
  readonly isOpen: boolean;
  /** Bytes not yet handed to the network or to a poll. Callers with much to send should wait until it is small. */
  readonly pendingBytes: number;
  /** Never blocks and never throws. A client that does not keep up is disconnected and may reconnect. */
  send(message: HubMessage): void;
  close(reason: CloseReason): void;
  /**
   * Stores up to 4 kB in the groups token, which a classic client sends back when it reconnects. Ignored for Core
   * clients. `cursor` moves the client to another position.
   */
  keepState(state: string, cursor?: string): void;
};

/** Describes a client that connects or reconnects. */
export type ConnectOptions = {
  /** The last position of the client, if it sent one (classic reconnect and poll). */
  readonly cursor?: string | undefined;
  /** The latest state stored by `keepState`. */
  readonly state?: string | undefined;
  /** Whether the client has received that state. If not, its cursor may be older than the state. */
  readonly hasState?: boolean | undefined;
  /**
   * Core only. To be called as soon as every later message will reach the client: the handshake response is sent
   * then, while the rest of `onConnected` continues.
   */
  readonly completeHandshake?: (() => void) | undefined;
};

/**
 * A method that clients may invoke; its name is case-insensitive. Returns a value, a promise, or an AsyncIterable for
 * a stream. The message of a HubError is sent to the client; other errors are only logged.
 */
export type HubMethod<User> = (connection: HubConnection<User>, ...args: readonly unknown[]) => unknown;

/** The application's side of the connections. */
export type Hub<User> = {
  /** Sent exactly so to classic clients, and compared case-insensitively. */
  readonly name: string;
  readonly methods: Readonly<Record<string, HubMethod<User>>>;
  /**
   * Called after the handshake. The client counts as connected once this resolves or has called
   * `completeHandshake`. Returns the cursor the client starts at; later messages are sent in order with
   * `connection.send`. If it throws, the connection is closed and the client may reconnect.
   */
  onConnected(connection: HubConnection<User>, options: ConnectOptions): Promise<string>;
  /** Called once for each `onConnected`, after that has settled. */
  onDisconnected(connection: HubConnection<User>): void;
  /** Whether the connection may continue with a renewed token. If not, it is closed and the client reconnects. */
  canRenewIdentity?(connection: HubConnection<User>, identity: Identity<User>): boolean;
};

/** An error whose message may be sent to the client. */
export class HubError extends Error {}

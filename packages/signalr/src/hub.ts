import type { IncomingMessage } from 'node:http';
import type { HubMessage } from './hub-message.ts';

export type Family = 'core' | 'classic';
export type Transport = 'webSockets' | 'serverSentEvents' | 'longPolling';

/** Whom a request speaks for. */
export type Identity<User> = {
  readonly user: User;
  /** Equal for all requests of one caller: a connection belongs to who opened it. */
  readonly key: string;
  /** Milliseconds since 1970; the connection is closed then. */
  readonly expiresAt?: number | undefined;
};

/** Why a request is not let in; the status is sent as it is, before any upgrade. */
export type Refusal = { readonly status: 400 | 401 | 403 | 429 | 503; readonly reason: string };

/** Called for every request and upgrade, with the request as it came. */
export type Authenticate<User> = (request: IncomingMessage) => Promise<Identity<User> | Refusal>;

export type CloseReason = {
  /** Said to the client; absent for a normal end. */
  readonly error?: string;
  /** Whether the client should come back by itself. */
  readonly allowReconnect: boolean;
};

/** One client, on whatever transport of whatever family. */
export type HubConnection<User> = {
  /** Public; the secret token is another. */
  readonly id: string;
  readonly identity: Identity<User>;
  readonly family: Family;
  readonly transport: Transport;
  /** False once it is closed: sends are then dropped. */
  readonly isOpen: boolean;
  /** Bytes sent that neither the network nor a poll has taken yet: whoever has much to send waits for few. */
  readonly pendingBytes: number;
  /** Never blocks and never throws. A client that does not keep up is cut, and may come back. */
  send(message: HubMessage): void;
  close(reason: CloseReason): void;
  /**
   * What a classic client brings back when it reconnects, signed, up to 4 kB; Core clients lose it. `cursor` is given
   * when the client goes on from another place than where it is.
   */
  keepState(state: string, cursor?: string): void;
};

export type Join = {
  /** Where the client had got to, if it says so (classic reconnect and poll). */
  readonly cursor?: string | undefined;
  /** What was kept for it. */
  readonly state?: string | undefined;
  /** Whether the client was told of that state: if not, its cursor may be from before it was kept. */
  readonly hasState?: boolean | undefined;
  /**
   * To be called as soon as it is settled where the client begins: it hears of all that happens from then on, and may
   * be told that it is connected while the rest of the join goes on.
   */
  readonly placed?: (() => void) | undefined;
};

/**
 * A method that clients may call; matched without regard to case. Answers a value, a promise of one, or an
 * AsyncIterable, which is a stream. A HubError is told, anything else is not.
 */
export type HubMethod<User> = (connection: HubConnection<User>, ...args: readonly unknown[]) => unknown;

/** What the owner of the connections does with them. */
export type Hub<User> = {
  /** Written exactly so to classic clients, and matched without regard to case. */
  readonly name: string;
  readonly methods: Readonly<Record<string, HubMethod<User>>>;
  /**
   * A client is there, and is told so once this has resolved or has called `placed`. Answers the cursor it begins at; what comes after that cursor is
   * sent with `connection.send`, from now on and in order. Throwing closes the connection, with reconnect.
   */
  join(connection: HubConnection<User>, join: Join): Promise<string>;
  leave(connection: HubConnection<User>): void;
  /** Whether the connection goes on with a newer token of its caller; if not, it is closed to be opened again. */
  mayRenew?(connection: HubConnection<User>, identity: Identity<User>): boolean;
};

/** An error whose text may be shown to the client. */
export class HubError extends Error {}

import type { CloseReason, ConnectOptions, HubConnection, Identity, TransportType } from '../hub/hub.ts';
import type { HubMessage } from '../hub/hub-message.ts';
import type { ServerContext } from '../runtime/server-context.ts';
import { maxStateBytes } from './classic-limits.ts';
import type { ClassicTransport, EndReason } from './transports/classic-transport.ts';

/** Messages queued until the hub has returned the client's start position. */
const maxQueuedMessages = 10_000;

export type ClassicConnectionOptions<User> = {
  readonly context: ServerContext<User>;
  readonly id: string;
  readonly identity: Identity<User>;
  readonly transportType: TransportType;
  readonly transport: ClassicTransport;
  /** Whether the client has callbacks for the hub. Without them it receives no messages. */
  readonly isSubscribed: boolean;
  keepState(state: string): void;
  /** Called once, for any end. */
  onEnd(): void;
};

/**
 * The connection of a client over one transport. A client that reconnects gets a new one, which connects to the hub at
 * the client's cursor, so that the hub replays exactly the missed messages.
 */
export class ClassicConnection<User> implements HubConnection<User> {
  readonly generation = 'classic';
  readonly #options: ClassicConnectionOptions<User>;
  readonly #transport: ClassicTransport;
  /** Undefined once the connection has started. */
  #queue: HubMessage[] | undefined = [];
  #isHubConnected = false;
  #acceptsMessages: boolean;
  #isEnded = false;

  constructor(options: ClassicConnectionOptions<User>) {
    this.#options = options;
    this.#transport = options.transport;
    this.#acceptsMessages = options.isSubscribed;
  }

  get id(): string {
    return this.#options.id;
  }

  get identity(): Identity<User> {
    return this.#options.identity;
  }

  get transportType(): TransportType {
    return this.#options.transportType;
  }

  get transport(): ClassicTransport {
    return this.#transport;
  }

  get isOpen(): boolean {
    return !this.#isEnded;
  }

  /** Excludes messages queued for the start position, because a hub that waits for them would wait forever. */
  get pendingBytes(): number {
    return this.#transport.pendingBytes;
  }

  send(message: HubMessage): void {
    if (!this.#acceptsMessages) return;
    if (this.#queue === undefined) {
      if (!this.#transport.send(message)) this.#endTooSlow();
    } else if (this.#queue.length < maxQueuedMessages) this.#queue.push(message);
    else this.#acceptsMessages = false;
  }

  close({ error, allowReconnect }: CloseReason): void {
    if (allowReconnect) this.end({ kind: 'reconnect' });
    else this.end({ kind: 'error', error: error ?? 'The connection was closed by the server.' });
  }

  keepState(state: string, cursor?: string): void {
    if (Buffer.byteLength(state) > maxStateBytes) throw new RangeError('the state is larger than 4 kB');
    if (cursor !== undefined && this.#queue === undefined) this.#transport.setCursor(cursor);
    this.#options.keepState(state);
  }

  /** Returns the start position. Returns undefined if the connection was closed meanwhile or the hub has failed. */
  async connectToHub(options: ConnectOptions): Promise<string | undefined> {
    const { hub, log } = this.#options.context;
    let cursor: string | undefined;
    try {
      cursor = await hub.onConnected(this, options);
    } catch (error) {
      if (!this.#isEnded) log.error({ err: error, connectionId: this.id }, 'hub could not connect a client');
    }
    this.#isHubConnected = true;
    if (this.#isEnded) this.#disconnectFromHub();
    else if (cursor === undefined) this.end({ kind: 'reconnect' });
    return this.#isEnded ? undefined : cursor;
  }

  /** Sends the queued messages, and later ones directly. */
  start(): void {
    const queue = this.#queue ?? [];
    const hasOverflowed = !this.#acceptsMessages && this.#options.isSubscribed;
    this.#queue = undefined;
    for (const message of queue) {
      if (this.#isEnded) return;
      if (!this.#transport.send(message)) this.#endTooSlow();
    }
    if (hasOverflowed) this.#endTooSlow();
  }

  sendGroupsToken(groupsToken: string): void {
    if (this.#queue === undefined && !this.#isEnded) this.#transport.sendGroupsToken(groupsToken);
  }

  onHeartbeat(now: number): void {
    const { expiresAt } = this.#options.identity;
    if (this.#isEnded) return;
    if (expiresAt !== undefined && expiresAt <= now) {
      this.end({ kind: 'error', error: 'The access token has expired.' });
    } else if (!this.#transport.onHeartbeat(now)) this.#endTooSlow();
  }

  end(reason: EndReason): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#acceptsMessages = false;
    this.#disconnectFromHub();
    this.#transport.end(reason);
    this.#options.onEnd();
  }

  #endTooSlow(): void {
    if (this.#isEnded) return;
    const { counters, log } = this.#options.context;
    counters.tooSlow += 1;
    log.warn({ connectionId: this.id, transport: this.transportType }, 'hub client is too slow');
    this.end({ kind: 'tooSlow' });
  }

  #disconnectFromHub(): void {
    if (!this.#isHubConnected) return;
    this.#isHubConnected = false;
    const { hub, log } = this.#options.context;
    try {
      hub.onDisconnected(this);
    } catch (error) {
      log.error({ err: error, connectionId: this.id }, 'hub could not disconnect a client');
    }
  }
}

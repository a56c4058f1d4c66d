import type { CloseReason, HubConnection, Identity, TransportType } from '../hub/hub.ts';
import type { HubMessage } from '../hub/hub-message.ts';
import { ProtocolError, type ServerMessage } from '../protocols/hub-protocol.ts';
import type { HeartbeatTarget } from '../runtime/heartbeat.ts';
import type { ServerContext } from '../runtime/server-context.ts';
import { LongPollingTransport } from '../transports/long-polling-transport.ts';
import type { ServerTransport } from '../transports/server-transport.ts';
import { tooSlow } from '../transports/slow-consumer.ts';
import { nextAction, type TimeoutAction } from './connection-timeouts.ts';
import { handshakeResponse } from './handshake.ts';
import { HubSession } from './hub-session.ts';
import type { HubMethods } from './invocations/invocations.ts';
import { KeepAlive } from './keep-alive.ts';
import { HubMessageReader } from './message-reader.ts';
import { HubMessageWriter } from './message-writer.ts';
import { releaseConnection } from './release-connection.ts';

const normalClosure = 1000;

export type CoreConnectionOptions<User> = {
  readonly id: string;
  readonly identity: Identity<User>;
  readonly useStatefulReconnect: boolean;
  readonly methods: HubMethods<User>;
  /** Called once, when no request can reach the connection any more. */
  onReleased(): void;
};

/** The connection of one Core client, from its first byte to its end. */
export class CoreConnection<User> implements HubConnection<User>, HeartbeatTarget {
  readonly id: string;
  readonly generation = 'core';
  readonly #context: ServerContext<User>;
  readonly #options: CoreConnectionOptions<User>;
  readonly #writer: HubMessageWriter;
  readonly #reader: HubMessageReader;
  readonly #keepAlive: KeepAlive;
  readonly #session: HubSession<User>;
  readonly #openedAt: number;
  #identity: Identity<User>;
  #isOpen = true;
  #isReleased = false;
  #transportLostAt: number | undefined;

  constructor(context: ServerContext<User>, options: CoreConnectionOptions<User>) {
    const now = context.clock();
    this.id = options.id;
    this.#context = context;
    this.#options = options;
    this.#identity = options.identity;
    this.#writer = new HubMessageWriter(context.framer, context.limits);
    this.#reader = new HubMessageReader({
      limits: context.limits,
      clock: context.clock,
      isOpen: () => this.#isOpen,
      onHandshake: (handshake) => this.#session.start(handshake),
      onMessage: (message) => this.#session.handleMessage(message),
      onError: (error) => this.#closeAfterError(error),
    });
    this.#keepAlive = new KeepAlive(context.limits, now);
    this.#session = new HubSession({
      context,
      connection: this,
      methods: options.methods,
      useStatefulReconnect: options.useStatefulReconnect,
      writer: this.#writer,
      keepAlive: this.#keepAlive,
      write: (message) => this.#write(message),
      onClose: () => this.#end(),
    });
    this.#openedAt = now;
    context.counters.opened += 1;
    context.heartbeat.add(this);
  }

  get identity(): Identity<User> {
    return this.#identity;
  }

  get transportType(): TransportType {
    return this.#writer.transportType ?? 'longPolling';
  }

  /** The transport type, undefined until the client has opened a transport. */
  get boundTransportType(): TransportType | undefined {
    return this.#writer.transportType;
  }

  get transport(): ServerTransport | undefined {
    return this.#writer.transport;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get pendingBytes(): number {
    return this.#writer.pendingBytes;
  }

  /** Whether a new WebSocket may replace the current one (stateful reconnect). */
  get canReconnect(): boolean {
    return this.#isOpen && this.#session.startup.isResponseSent && this.#writer.buffer !== undefined;
  }

  get contentType(): string {
    const isBinary = this.#writer.handshake?.protocol.transferFormat === 'binary';
    return isBinary ? 'application/octet-stream' : 'text/plain';
  }

  /** Adopts the identity of a later request if its token expires later. */
  renewIdentity(identity: Identity<User>): void {
    const isLater = (identity.expiresAt ?? Infinity) > (this.#identity.expiresAt ?? Infinity);
    if (!isLater) return;
    // The hub has subscribed the connection with its first permissions, so other permissions need a new connection.
    const isConnected = this.#session.startup.connected !== undefined;
    if (isConnected && this.#context.hub.canRenewIdentity?.(this, identity) === false)
      this.close({ allowReconnect: true });
    else this.#identity = identity;
  }

  attachTransport(transportType: TransportType, transport: ServerTransport): void {
    this.#writer.attachTransport(transportType, transport);
    this.#reader.read(transportType);
  }

  /** Replaces the WebSocket (stateful reconnect). */
  reconnect(transport: ServerTransport): void {
    const { handshake, transport: previous } = this.#writer;
    if (handshake === undefined) return;
    this.#writer.detachTransport();
    previous?.destroy();
    this.#transportLostAt = undefined;
    this.#reader.restart(handshake);
    this.#keepAlive.messageReceived();
    this.#writer.reconnect(transport);
  }

  /** Returns false if the client sends more than is buffered before it opens a transport. */
  receive(bytes: Buffer): boolean {
    if (!this.#isOpen) return true;
    this.#keepAlive.messageReceived();
    return this.#reader.add(bytes, this.#writer.transportType);
  }

  send(message: HubMessage): void {
    if (!this.#isOpen) return;
    // A hub that sends messages has accepted the connection.
    this.#session.startup.completeHandshake();
    this.#writer.writeInvocations(message);
    this.#keepAlive.messageSent();
    if (this.#writer.isFull) this.#closeTooSlow();
  }

  close({ error, allowReconnect }: CloseReason): void {
    if (!this.#isOpen) return;
    this.#session.startup.sendResponse();
    this.#writer.writeMessage({ kind: 'close', error, allowReconnect });
    this.#end();
  }

  keepState(): void {
    // Core clients have no groups token to store it in.
  }

  /** Keeps the connection for a reconnect if the socket was lost rather than closed. */
  transportEnded(transport: ServerTransport, wasLost: boolean): void {
    if (this.#writer.transport !== transport || !this.#isOpen) return;
    if (wasLost && this.canReconnect) {
      this.#writer.detachTransport();
      this.#transportLostAt = this.#context.clock();
    } else this.#end();
  }

  /** Ends without a close message, at the client's request. */
  end(): void {
    this.#end();
    this.#release();
  }

  onHeartbeat(now: number): void {
    const { limits } = this.#context;
    const { transport } = this.#writer;
    if (transport instanceof LongPollingTransport) {
      transport.onHeartbeat(now, limits.pollTimeoutMs);
      if (transport.idleMs(now) >= limits.disconnectTimeoutMs) return this.end();
    }
    if (!this.#isOpen) return;
    const action = nextAction(now, {
      limits,
      expiresAt: this.#identity.expiresAt,
      openedAt: this.#openedAt,
      transportLostAt: this.#transportLostAt,
      handshakeReceivedAt: this.#session.startup.handshakeReceivedAt,
      isHandshakeComplete: this.#session.startup.isResponseSent,
      writer: this.#writer,
      keepAlive: this.#keepAlive,
    });
    this.#perform(action);
  }

  #perform(action: TimeoutAction): void {
    switch (action) {
      case 'rejectHandshake':
        return this.#rejectHandshake('The handshake took too long');
      case 'sendHandshakeResponse':
        return this.#session.startup.sendResponse();
      case 'closeExpired':
        return this.close({ allowReconnect: true });
      case 'discard':
        return this.#end();
      case 'closeTooSlow':
        return this.#closeTooSlow();
      case 'closeTimedOut':
        return this.close({ error: 'The client timed out', allowReconnect: true });
      case 'ping':
        return this.#write({ kind: 'ping' });
      case 'none': {
        const sequenceId = this.#writer.buffer?.takeAck();
        if (sequenceId !== undefined) this.#write({ kind: 'ack', sequenceId });
      }
    }
  }

  #write(message: ServerMessage): void {
    if (!this.#isOpen) return;
    this.#writer.writeMessage(message);
    this.#keepAlive.messageSent();
    if (this.#writer.isFull) this.#closeTooSlow();
  }

  #closeTooSlow(): void {
    this.#context.counters.tooSlow += 1;
    this.#context.log.warn(
      { connectionId: this.id, transport: this.transportType },
      'hub client is too slow',
    );
    this.close(tooSlow);
  }

  #closeAfterError(error: unknown): void {
    const isClientError = error instanceof ProtocolError;
    if (!isClientError) this.#context.log.error({ err: error, connectionId: this.id }, 'hub message failed');
    const text = isClientError ? error.message : 'The server failed';
    if (this.#session.startup.connected === undefined) this.#rejectHandshake(text);
    else this.close({ error: text, allowReconnect: false });
  }

  #rejectHandshake(error: string): void {
    this.#writer.writeRaw(handshakeResponse(error), 'text');
    this.#end();
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#session.end();
    this.#writer.transport?.end(normalClosure, '');
    releaseConnection(this.#context, this, this.#session.startup.connected);
    // A long polling client still polls for the queued messages.
    if (!(this.#writer.transport instanceof LongPollingTransport)) this.#release();
  }

  #release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const { transport } = this.#writer;
    if (transport instanceof LongPollingTransport) transport.destroy();
    this.#context.heartbeat.remove(this);
    this.#options.onReleased();
  }
}

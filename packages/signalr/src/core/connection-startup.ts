import type { HubConnection } from '../hub/hub.ts';
import type { ServerContext } from '../runtime/server-context.ts';
import { handshakeResponse } from './handshake.ts';
import type { HubMessageWriter } from './message-writer.ts';

/**
 * Runs the hub's `onConnected` and sends the handshake response. From that response on the client must receive every
 * message. If the hub cannot guarantee that, the connection is closed and the client reconnects.
 */
export class ConnectionStartup<User> {
  readonly #context: ServerContext<User>;
  readonly #connection: HubConnection<User>;
  readonly #writer: HubMessageWriter;
  #handshakeReceivedAt: number | undefined;
  #isResponseSent = false;
  #isReady = false;
  #connected: Promise<void> | undefined;

  constructor(context: ServerContext<User>, connection: HubConnection<User>, writer: HubMessageWriter) {
    this.#context = context;
    this.#connection = connection;
    this.#writer = writer;
  }

  get handshakeReceivedAt(): number | undefined {
    return this.#handshakeReceivedAt;
  }

  get isResponseSent(): boolean {
    return this.#isResponseSent;
  }

  /** Resolves when `onConnected` has settled; undefined before the handshake. */
  get connected(): Promise<void> | undefined {
    return this.#connected;
  }

  start(): Promise<void> {
    this.#handshakeReceivedAt = this.#context.clock();
    this.#connected = this.#connect();
    return this.#connected;
  }

  readonly completeHandshake = (): void => {
    if (this.#isResponseSent) return;
    this.#isReady = true;
    this.sendResponse();
  };

  /** Sends the handshake response, once. */
  sendResponse(): void {
    const { handshake } = this.#writer;
    if (this.#isResponseSent || handshake === undefined) return;
    this.#isResponseSent = true;
    this.#writer.writeRaw(handshakeResponse(), handshake.protocol.transferFormat);
  }

  async #connect(): Promise<void> {
    const { hub, log } = this.#context;
    const connection = this.#connection;
    const { completeHandshake } = this;
    try {
      // The async wrapper turns a synchronous throw into a rejection.
      await (async () => hub.onConnected(connection, { completeHandshake }))();
    } catch (error) {
      if (connection.isOpen)
        log.error({ err: error, connectionId: connection.id }, 'hub could not connect a client');
      const text = 'The server could not open the connection';
      return connection.close({ error: text, allowReconnect: true });
    }
    // The response was sent by the timeout, before the hub was ready: messages may have been missed.
    if (this.#isResponseSent && !this.#isReady) connection.close({ allowReconnect: true });
    else completeHandshake();
  }
}

import type { HubConnection } from '../hub/hub.ts';
import type { ClientMessage, ServerMessage } from '../protocols/hub-protocol.ts';
import type { ServerContext } from '../runtime/server-context.ts';
import { ConnectionStartup } from './connection-startup.ts';
import { dispatchMessage } from './dispatch-message.ts';
import { type Handshake, statefulReconnectVersion } from './handshake.ts';
import { waitForSendCapacity } from './invocations/backpressure.ts';
import { type HubMethods, Invocations } from './invocations/invocations.ts';
import type { KeepAlive } from './keep-alive.ts';
import type { HubMessageWriter } from './message-writer.ts';

export type HubSessionOptions<User> = {
  readonly context: ServerContext<User>;
  readonly connection: HubConnection<User>;
  readonly methods: HubMethods<User>;
  readonly useStatefulReconnect: boolean;
  readonly writer: HubMessageWriter;
  readonly keepAlive: KeepAlive;
  write(message: ServerMessage): void;
  /** Called for a close message of the client. */
  onClose(): void;
};

/** The hub's side of a connection: its startup, its invocations, and the dispatch of received messages. */
export class HubSession<User> {
  readonly startup: ConnectionStartup<User>;
  readonly #options: HubSessionOptions<User>;
  #invocations: Invocations<User> | undefined;

  constructor(options: HubSessionOptions<User>) {
    this.#options = options;
    this.startup = new ConnectionStartup(options.context, options.connection, options.writer);
  }

  /** Starts the hub protocol that the handshake has selected. */
  start(handshake: Handshake): void {
    const { context, connection, methods, useStatefulReconnect, writer, write } = this.#options;
    const mayBuffer = useStatefulReconnect && connection.transportType === 'webSockets';
    writer.startProtocol(handshake, mayBuffer && handshake.version >= statefulReconnectVersion);
    context.admission.handshakeFinished();
    context.connections.add(connection);
    this.#invocations = new Invocations(
      {
        connection,
        methods,
        maxParallelInvocations: context.limits.maxParallelInvocations,
        log: context.log,
        write,
        waitForSendCapacity: () => waitForSendCapacity(connection),
      },
      this.startup.start(),
    );
  }

  handleMessage(message: ClientMessage): void {
    const { context, writer, keepAlive, onClose } = this.#options;
    const { buffer } = writer;
    if (buffer?.shouldProcess(message) === false || this.#invocations === undefined) return;
    context.counters.received += 1;
    dispatchMessage(message, {
      invocations: this.#invocations,
      buffer,
      onPing: () => keepAlive.pingReceived(),
      onClose,
    });
  }

  end(): void {
    this.#invocations?.end();
  }
}

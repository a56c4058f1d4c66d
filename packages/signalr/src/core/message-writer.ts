import type { TransportType } from '../hub/hub.ts';
import type { HubMessage } from '../hub/hub-message.ts';
import type { ServerMessage } from '../protocols/hub-protocol.ts';
import type { Limits } from '../runtime/limits.ts';
import type { Framer, WireFormat } from '../runtime/message-framer.ts';
import { eventStreamFrame } from '../transports/server-sent-events-transport.ts';
import type { ServerTransport } from '../transports/server-transport.ts';
import { hasTooMuchPending, isTooSlow } from '../transports/slow-consumer.ts';
import { webSocketFrame } from '../transports/web-socket-frame.ts';
import type { Handshake } from './handshake.ts';
import { StatefulReconnectBuffer } from './stateful-reconnect-buffer.ts';

const formats: Record<TransportType, Record<'json' | 'messagepack', WireFormat>> = {
  webSockets: { json: 'coreJsonWebSocket', messagepack: 'coreMessagePackWebSocket' },
  serverSentEvents: { json: 'coreJsonEventStream', messagepack: 'coreJsonEventStream' },
  longPolling: { json: 'coreJsonPayload', messagepack: 'coreMessagePackPayload' },
};

const sequencedKinds: ReadonlySet<ServerMessage['kind']> = new Set(['streamItem', 'completion']);

/** Writes messages to one client: encodes them for its protocol and transport and buffers them for a reconnect. */
export class HubMessageWriter {
  readonly #framer: Framer;
  readonly #limits: Limits;
  #transportType: TransportType | undefined;
  #transport: ServerTransport | undefined;
  #handshake: Handshake | undefined;
  #format: WireFormat = 'coreJsonPayload';
  #buffer: StatefulReconnectBuffer | undefined;

  constructor(framer: Framer, limits: Limits) {
    this.#framer = framer;
    this.#limits = limits;
  }

  get transportType(): TransportType | undefined {
    return this.#transportType;
  }

  get transport(): ServerTransport | undefined {
    return this.#transport;
  }

  get handshake(): Handshake | undefined {
    return this.#handshake;
  }

  get buffer(): StatefulReconnectBuffer | undefined {
    return this.#buffer;
  }

  attachTransport(transportType: TransportType, transport: ServerTransport): void {
    this.#transportType = transportType;
    this.#transport = transport;
  }

  /** Switches to the hub protocol that the handshake has selected. */
  startProtocol(handshake: Handshake, useBuffer: boolean): void {
    this.#handshake = handshake;
    this.#format = formats[this.#transportType ?? 'longPolling'][handshake.protocol.name];
    if (useBuffer) this.#buffer = new StatefulReconnectBuffer();
  }

  writeInvocations(message: HubMessage): void {
    if (message.invocations.length === 0) return;
    const framed = this.#framer.frame(message, this.#format);
    this.#buffer?.add(framed, message.invocations.length);
    this.#transport?.write(framed);
  }

  writeMessage(message: ServerMessage): void {
    if (this.#handshake === undefined) return;
    const { protocol } = this.#handshake;
    const framed = this.#frame(protocol.encode(message), protocol.transferFormat);
    if (sequencedKinds.has(message.kind)) this.#buffer?.add(framed, 1);
    this.#transport?.write(framed);
  }

  /** Writes a handshake response, which is not a hub message. */
  writeRaw(payload: Buffer, transferFormat: 'text' | 'binary'): void {
    this.#transport?.write(this.#frame(payload, transferFormat));
  }

  /** Called when the socket is lost and the client may reconnect. */
  detachTransport(): void {
    this.#transport = undefined;
    this.#buffer?.transportLost();
  }

  /** Continues on a new socket with the first message that the client has not acknowledged. */
  reconnect(transport: ServerTransport): void {
    if (this.#buffer === undefined) return;
    this.#transport = transport;
    this.writeMessage({ kind: 'sequence', sequenceId: this.#buffer.firstSequenceId });
    for (const framed of this.#buffer.unacknowledged) transport.write(framed);
  }

  get pendingBytes(): number {
    return this.#transport?.pendingBytes ?? this.#buffer?.bufferedBytes ?? 0;
  }

  get isFull(): boolean {
    const bufferedBytes = this.#buffer?.bufferedBytes ?? 0;
    if (bufferedBytes > this.#limits.statefulReconnectBufferBytes) return true;
    return this.#transport !== undefined && hasTooMuchPending(this.#transport, this.#limits);
  }

  isTooSlow(now: number): boolean {
    return this.#transport !== undefined && isTooSlow(this.#transport, this.#limits, now);
  }

  #frame(payload: Buffer, transferFormat: 'text' | 'binary'): Buffer {
    if (this.#transportType === 'webSockets') return webSocketFrame(payload, transferFormat);
    return this.#transportType === 'serverSentEvents' ? eventStreamFrame(payload) : payload;
  }
}

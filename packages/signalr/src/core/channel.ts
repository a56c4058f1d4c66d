import type { ServerMessage } from '../codec/hub-protocol.ts';
import type { Framer, WireFormat } from '../framed-message.ts';
import type { Transport } from '../hub.ts';
import type { HubMessage } from '../hub-message.ts';
import type { Limits } from '../limits.ts';
import { eventStreamFrame } from '../transports/event-stream-sink.ts';
import type { Sink } from '../transports/sink.ts';
import { hasTooMuchPending, isTooSlow } from '../transports/slow-consumer.ts';
import { webSocketFrame } from '../transports/web-socket-frame.ts';
import type { Handshake } from './handshake.ts';
import { StatefulBuffer } from './stateful-buffer.ts';

const formats: Record<Transport, Record<'json' | 'messagepack', WireFormat>> = {
  webSockets: { json: 'coreJsonWebSocket', messagepack: 'coreMessagePackWebSocket' },
  serverSentEvents: { json: 'coreJsonEventStream', messagepack: 'coreJsonEventStream' },
  longPolling: { json: 'coreJsonPayload', messagepack: 'coreMessagePackPayload' },
};

const countedKinds: ReadonlySet<ServerMessage['kind']> = new Set(['streamItem', 'completion']);

/** The way to one client: its transport, the protocol spoken on it, and what must survive a lost socket. */
export class Channel {
  readonly #framer: Framer;
  readonly #limits: Limits;
  #transport: Transport | undefined;
  #sink: Sink | undefined;
  #handshake: Handshake | undefined;
  #format: WireFormat = 'coreJsonPayload';
  #buffer: StatefulBuffer | undefined;

  constructor(framer: Framer, limits: Limits) {
    this.#framer = framer;
    this.#limits = limits;
  }

  get transport(): Transport | undefined {
    return this.#transport;
  }

  get sink(): Sink | undefined {
    return this.#sink;
  }

  get handshake(): Handshake | undefined {
    return this.#handshake;
  }

  get buffer(): StatefulBuffer | undefined {
    return this.#buffer;
  }

  bind(transport: Transport, sink: Sink): void {
    this.#transport = transport;
    this.#sink = sink;
  }

  /** From now on hub messages are spoken. */
  begin(handshake: Handshake, stateful: boolean): void {
    this.#handshake = handshake;
    this.#format = formats[this.#transport ?? 'longPolling'][handshake.protocol.name];
    if (stateful) this.#buffer = new StatefulBuffer();
  }

  push(message: HubMessage): void {
    if (message.calls.length === 0) return;
    const framed = this.#framer.frame(message, this.#format);
    this.#buffer?.keep(framed, message.calls.length);
    this.#sink?.write(framed);
  }

  say(message: ServerMessage): void {
    if (this.#handshake === undefined) return;
    const { protocol } = this.#handshake;
    const framed = this.#wrap(protocol.encode(message), protocol.kind);
    if (countedKinds.has(message.kind)) this.#buffer?.keep(framed, 1);
    this.#sink?.write(framed);
  }

  /** Before hub messages are spoken. */
  sayRaw(payload: Buffer, kind: 'text' | 'binary'): void {
    this.#sink?.write(this.#wrap(payload, kind));
  }

  /** The socket is gone and another may come. */
  lose(): void {
    this.#sink = undefined;
    this.#buffer?.lost();
  }

  /** Goes on with another socket, from the first message that the client may not have. */
  resume(sink: Sink): void {
    if (this.#buffer === undefined) return;
    this.#sink = sink;
    this.say({ kind: 'sequence', sequenceId: this.#buffer.resumesAt });
    for (const framed of this.#buffer.unacknowledged) sink.write(framed);
  }

  get pendingBytes(): number {
    return this.#sink?.pendingBytes ?? this.#buffer?.keptBytes ?? 0;
  }

  get isFull(): boolean {
    if (this.#buffer !== undefined && this.#buffer.keptBytes > this.#limits.statefulBytes) return true;
    return this.#sink !== undefined && hasTooMuchPending(this.#sink, this.#limits);
  }

  isTooSlow(now: number): boolean {
    return this.#sink !== undefined && isTooSlow(this.#sink, this.#limits, now);
  }

  #wrap(payload: Buffer, kind: 'text' | 'binary'): Buffer {
    if (this.#transport === 'webSockets') return webSocketFrame(payload, kind);
    return this.#transport === 'serverSentEvents' ? eventStreamFrame(payload) : payload;
  }
}

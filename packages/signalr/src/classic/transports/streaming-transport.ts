import type { HubMessage } from '../../hub/hub-message.ts';
import type { Limits } from '../../runtime/limits.ts';
import type { Framer } from '../../runtime/message-framer.ts';
import { eventStreamFrame } from '../../transports/server-sent-events-transport.ts';
import type { ServerTransport } from '../../transports/server-transport.ts';
import { hasTooMuchPending, isTooSlow } from '../../transports/slow-consumer.ts';
import { webSocketFrame } from '../../transports/web-socket-frame.ts';
import type { ClassicTransport, EndReason } from './classic-transport.ts';
import { batchText, errorText, invocationsText, keepAliveText } from './persistent-response.ts';

type StreamingFormat = 'classicWebSocket' | 'classicEventStream';

const encoders: Record<StreamingFormat, (text: string) => Buffer> = {
  classicWebSocket: (text) => webSocketFrame(Buffer.from(text), 'text'),
  classicEventStream: (text) => eventStreamFrame(Buffer.from(text)),
};

const keepAliveFrames: Record<StreamingFormat, Buffer> = {
  classicWebSocket: encoders.classicWebSocket(keepAliveText),
  classicEventStream: encoders.classicEventStream(keepAliveText),
};

const normalClosure = 1000;

export type ClassicStreamingTransportOptions = {
  readonly serverTransport: ServerTransport;
  readonly format: StreamingFormat;
  readonly framer: Framer;
  readonly limits: Limits;
  readonly keepAliveIntervalMs: number;
  readonly now: number;
  /** Pings the client, which answers with a pong (WebSockets only). */
  readonly ping?: (() => void) | undefined;
};

/** WebSockets and server-sent events: messages are sent at once. */
export class ClassicStreamingTransport implements ClassicTransport {
  readonly #options: ClassicStreamingTransportOptions;
  #cursor = '';
  #confirmedCursor = '';
  /** The cursor at the time of a ping; undefined when the client has answered it. */
  #pingCursor: string | undefined;
  #keepAliveSentAt: number;

  constructor(options: ClassicStreamingTransportOptions) {
    this.#options = options;
    this.#keepAliveSentAt = options.now;
  }

  get pendingBytes(): number {
    return this.#options.serverTransport.pendingBytes;
  }

  /** Messages written to a broken connection may be lost, so only confirmed ones count, if pings are possible. */
  get resumeCursor(): string {
    return this.#options.ping === undefined ? this.#cursor : this.#confirmedCursor;
  }

  start(cursor: string): void {
    this.#cursor = cursor;
    this.#confirmedCursor = cursor;
  }

  setCursor(cursor: string): void {
    this.start(cursor);
    this.#pingCursor = undefined;
  }

  /** The client has received everything that was sent before the ping. */
  pongReceived(): void {
    if (this.#pingCursor === undefined) return;
    this.#confirmedCursor = this.#pingCursor;
    this.#pingCursor = undefined;
  }

  send(message: HubMessage): boolean {
    const { serverTransport, format, framer, limits } = this.#options;
    if (message.cursor === undefined) this.#sendWithCurrentCursor(message);
    else {
      serverTransport.write(framer.frame(message, format));
      this.#cursor = message.cursor;
    }
    return !hasTooMuchPending(serverTransport, limits);
  }

  write(text: string): void {
    const { serverTransport, format } = this.#options;
    serverTransport.write(encoders[format](text));
  }

  sendGroupsToken(groupsToken: string): void {
    this.write(batchText({ cursor: this.#cursor, groupsToken }));
  }

  onHeartbeat(now: number): boolean {
    const { serverTransport, format, limits, keepAliveIntervalMs } = this.#options;
    if (now - this.#keepAliveSentAt >= keepAliveIntervalMs) {
      this.#keepAliveSentAt = now;
      serverTransport.write(keepAliveFrames[format]);
      this.#ping();
    }
    return !isTooSlow(serverTransport, limits, now);
  }

  /** Pending messages are still sent, so that a slow client makes progress with each reconnect. */
  end(reason: EndReason): void {
    if (reason.kind === 'error') this.write(errorText(reason.error));
    this.#options.serverTransport.end(normalClosure, '');
  }

  #ping(): void {
    if (this.#pingCursor !== undefined || this.#cursor === this.#confirmedCursor) return;
    this.#pingCursor = this.#cursor;
    this.#options.ping?.();
  }

  /** .NET clients lose their cursor if a message has none. */
  #sendWithCurrentCursor(message: HubMessage): void {
    const payload = this.#options.framer.frame(message, 'classicPayload');
    this.write(batchText({ cursor: this.#cursor, invocations: invocationsText(message, payload) }));
  }
}

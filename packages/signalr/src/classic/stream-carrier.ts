import type { Framer } from '../framed-message.ts';
import type { HubMessage } from '../hub-message.ts';
import type { Limits } from '../limits.ts';
import { eventStreamFrame } from '../transports/event-stream-sink.ts';
import type { Sink } from '../transports/sink.ts';
import { hasTooMuchPending, isTooSlow } from '../transports/slow-consumer.ts';
import { webSocketFrame } from '../transports/web-socket-frame.ts';
import type { Carrier, Ending } from './carrier.ts';
import { batchText, callsOf, errorText, keepAliveText } from './classic-frames.ts';

type StreamFormat = 'classicWebSocket' | 'classicEventStream';

const frameIn: Record<StreamFormat, (text: string) => Buffer> = {
  classicWebSocket: (text) => webSocketFrame(Buffer.from(text), 'text'),
  classicEventStream: (text) => eventStreamFrame(Buffer.from(text)),
};

const keepAliveIn: Record<StreamFormat, Buffer> = {
  classicWebSocket: frameIn.classicWebSocket(keepAliveText),
  classicEventStream: frameIn.classicEventStream(keepAliveText),
};

const normalClosure = 1000;

export type StreamCarrierOptions = {
  readonly sink: Sink;
  readonly format: StreamFormat;
  readonly framer: Framer;
  readonly limits: Limits;
  readonly keepAliveMs: number;
  readonly now: number;
  /** Asks the client for a sign, which `confirm` is told of. */
  readonly ping?: (() => void) | undefined;
};

/** WebSockets and server-sent events: what is pushed goes out at once. */
export class StreamCarrier implements Carrier {
  readonly #options: StreamCarrierOptions;
  #cursor = '';
  #confirmed = '';
  /** Where the client was when it was asked; undefined when it has answered. */
  #asked: string | undefined;
  #aliveAt: number;

  constructor(options: StreamCarrierOptions) {
    this.#options = options;
    this.#aliveAt = options.now;
  }

  get pendingBytes(): number {
    return this.#options.sink.pendingBytes;
  }

  /**
   * What was written to a line that breaks may be lost, so only what the client has confirmed counts. Without a way
   * to ask it, everything does.
   */
  get place(): string {
    return this.#options.ping === undefined ? this.#cursor : this.#confirmed;
  }

  begin(cursor: string): void {
    this.#cursor = cursor;
    this.#confirmed = cursor;
  }

  moveTo(cursor: string): void {
    this.begin(cursor);
    this.#asked = undefined;
  }

  /** The client has everything up to where it was asked. */
  confirm(): void {
    if (this.#asked === undefined) return;
    this.#confirmed = this.#asked;
    this.#asked = undefined;
  }

  push(message: HubMessage): boolean {
    const { sink, format, framer, limits } = this.#options;
    if (message.cursor === undefined) this.#pushInPlace(message);
    else {
      sink.write(framer.frame(message, format));
      this.#cursor = message.cursor;
    }
    return !hasTooMuchPending(sink, limits);
  }

  say(text: string): void {
    const { sink, format } = this.#options;
    sink.write(frameIn[format](text));
  }

  tellGroups(groupsToken: string): void {
    this.say(batchText({ cursor: this.#cursor, groupsToken }));
  }

  beat(now: number): boolean {
    const { sink, format, limits, keepAliveMs } = this.#options;
    if (now - this.#aliveAt >= keepAliveMs) {
      this.#aliveAt = now;
      sink.write(keepAliveIn[format]);
      this.#ask();
    }
    return !isTooSlow(sink, limits, now);
  }

  /** What is pending is still sent: a client that is cut for slowness gets ahead each time. */
  end(ending: Ending): void {
    if (ending.kind === 'error') this.say(errorText(ending.error));
    this.#options.sink.end(normalClosure, '');
  }

  #ask(): void {
    if (this.#asked !== undefined || this.#cursor === this.#confirmed) return;
    this.#asked = this.#cursor;
    this.#options.ping?.();
  }

  /** Clients of .NET forget their place when a message does not name one. */
  #pushInPlace(message: HubMessage): void {
    const payload = this.#options.framer.frame(message, 'classicPayload');
    this.say(batchText({ cursor: this.#cursor, calls: callsOf(message, payload) }));
  }
}

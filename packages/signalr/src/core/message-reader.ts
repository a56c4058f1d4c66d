import type { TransportType } from '../hub/hub.ts';
import { type ClientMessage, ProtocolError } from '../protocols/hub-protocol.ts';
import type { Limits } from '../runtime/limits.ts';
import { createMessageRateLimit, type TokenBucket } from '../runtime/token-bucket.ts';
import type { Handshake } from './handshake.ts';
import { HubMessageParser } from './message-parser.ts';

export type HubMessageReaderOptions = {
  readonly limits: Limits;
  readonly clock: () => number;
  /** Reading stops once the connection is closed. */
  isOpen(): boolean;
  onHandshake(handshake: Handshake): void;
  onMessage(message: ClientMessage): void;
  /** Called with any error thrown while reading or handling a message. */
  onError(error: unknown): void;
};

/** Reads the messages of a client and applies its limits. Buffers bytes that arrive before the transport is known. */
export class HubMessageReader {
  readonly #options: HubMessageReaderOptions;
  readonly #parser: HubMessageParser;
  readonly #rateLimit: TokenBucket;
  #hasHandshake = false;
  /** Counts the handshake and the messages. */
  #messageCount = 0;

  constructor(options: HubMessageReaderOptions) {
    this.#options = options;
    this.#parser = new HubMessageParser(options.limits.maxReceiveMessageBytes);
    this.#rateLimit = createMessageRateLimit(options.limits, options.clock());
  }

  /** Returns false if more bytes arrive than are buffered. */
  add(bytes: Buffer, transportType: TransportType | undefined): boolean {
    const bufferedBytes = this.#parser.bufferedBytes + bytes.length;
    if (transportType === undefined && bufferedBytes > this.#options.limits.maxRequestBodyBytes) return false;
    this.#parser.add(bytes);
    const countBefore = this.#messageCount;
    this.read(transportType);
    if (transportType !== undefined && this.#messageCount === countBefore) this.#chargeFragment();
    return true;
  }

  /** A fragment counts as a message for the rate limit, because otherwise single bytes would be free. */
  #chargeFragment(): void {
    const { isOpen, clock, onError } = this.#options;
    if (isOpen() && !this.#rateLimit.take(clock())) onError(new ProtocolError('Too many messages'));
  }

  read(transportType: TransportType | undefined): void {
    if (transportType === undefined) return;
    try {
      if (!this.#hasHandshake && !this.#readHandshake(transportType)) return;
      this.#readMessages();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Discards a partial message, because a new socket starts with a whole one. */
  restart(handshake: Handshake): void {
    this.#parser.restart(handshake);
  }

  #readHandshake(transportType: TransportType): boolean {
    const handshake = this.#parser.readHandshake(transportType);
    if (handshake === undefined) return false;
    this.#hasHandshake = true;
    this.#messageCount += 1;
    this.#options.onHandshake(handshake);
    return true;
  }

  #readMessages(): void {
    const { isOpen, clock, onMessage } = this.#options;
    while (isOpen()) {
      const message = this.#parser.next();
      if (message === undefined) return;
      this.#messageCount += 1;
      if (!this.#rateLimit.take(clock())) throw new ProtocolError('Too many messages');
      onMessage(message);
    }
  }
}

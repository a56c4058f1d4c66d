import type { TransportType } from '../hub/hub.ts';
import type { ClientMessage, Decoder } from '../protocols/hub-protocol.ts';
import { recordSeparator } from '../protocols/json-hub-protocol.ts';
import { ReceiveBuffer } from '../protocols/receive-buffer.ts';
import { type Handshake, parseHandshake } from './handshake.ts';

/** Parses the handshake and then the messages from the bytes of a client, in pieces of any size. */
export class HubMessageParser {
  readonly #maxBytes: number;
  readonly #buffer = new ReceiveBuffer();
  #decoder: Decoder | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that wait for the handshake. */
  get bufferedBytes(): number {
    return this.#buffer.length;
  }

  add(bytes: Buffer): void {
    if (this.#decoder === undefined) this.#buffer.add(bytes);
    else this.#decoder.add(bytes);
  }

  /** Returns the handshake once it is complete. The bytes after it are kept for `next`. */
  readHandshake(transportType: TransportType): Handshake | undefined {
    const record = this.#buffer.takeUntil(recordSeparator, this.#maxBytes);
    if (record === undefined) return undefined;
    const handshake = parseHandshake(record, transportType);
    this.#decoder = handshake.protocol.createDecoder(this.#maxBytes);
    this.#decoder.add(this.#buffer.takeAll());
    return handshake;
  }

  next(): ClientMessage | undefined {
    return this.#decoder?.next();
  }

  /** Discards a partial message, because a new socket starts with a whole one. */
  restart({ protocol }: Handshake): void {
    this.#decoder = protocol.createDecoder(this.#maxBytes);
  }
}

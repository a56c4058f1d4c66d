import type { ClientMessage, Decoder } from '../codec/hub-protocol.ts';
import { Inbox } from '../codec/inbox.ts';
import { recordSeparator } from '../codec/json.ts';
import type { Transport } from '../hub.ts';
import { type Handshake, readHandshake } from './handshake.ts';

/** Makes a handshake and then messages of the bytes of a client, however they are cut. */
export class ClientReader {
  readonly #most: number;
  readonly #inbox = new Inbox();
  #decoder: Decoder | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  get waitingBytes(): number {
    return this.#inbox.length;
  }

  add(bytes: Buffer): void {
    if (this.#decoder === undefined) this.#inbox.add(bytes);
    else this.#decoder.add(bytes);
  }

  /** The handshake, once it is whole. What came with it is kept. */
  readHandshake(transport: Transport): Handshake | undefined {
    const record = this.#inbox.takeUntil(recordSeparator, this.#most);
    if (record === undefined) return undefined;
    const handshake = readHandshake(record, transport);
    this.#decoder = handshake.protocol.createDecoder(this.#most);
    this.#decoder.add(this.#inbox.takeAll());
    return handshake;
  }

  next(): ClientMessage | undefined {
    return this.#decoder?.next();
  }

  /** Another socket begins with a whole message. */
  restart({ protocol }: Handshake): void {
    this.#decoder = protocol.createDecoder(this.#most);
  }
}

import { type ClientMessage, ProtocolError } from '../codec/hub-protocol.ts';
import type { Transport } from '../hub.ts';
import { type Budget, type Limits, messageBudget } from '../limits.ts';
import { ClientReader } from './client-reader.ts';
import type { Handshake } from './handshake.ts';

export type InboundOptions = {
  readonly limits: Limits;
  readonly clock: () => number;
  /** Nothing is read for one that has ended. */
  isOpen(): boolean;
  began(handshake: Handshake): void;
  said(message: ClientMessage): void;
  /** Whatever was thrown on the way. */
  failed(error: unknown): void;
};

/** What comes from a client, within its limits. Bytes that come before the transport is known are kept. */
export class Inbound {
  readonly #options: InboundOptions;
  readonly #reader: ClientReader;
  readonly #budget: Budget;
  #hasBegun = false;
  /** The handshake and messages so far. */
  #taken = 0;

  constructor(options: InboundOptions) {
    this.#options = options;
    this.#reader = new ClientReader(options.limits.messageBytes);
    this.#budget = messageBudget(options.limits, options.clock());
  }

  /** False when it is more than is kept. */
  add(bytes: Buffer, transport: Transport | undefined): boolean {
    const kept = this.#reader.waitingBytes + bytes.length;
    if (transport === undefined && kept > this.#options.limits.bodyBytes) return false;
    this.#reader.add(bytes);
    const before = this.#taken;
    this.read(transport);
    if (transport !== undefined && this.#taken === before) this.#chargePiece();
    return true;
  }

  /** Bytes that complete no message cost as much as one that does: otherwise single bytes would be free. */
  #chargePiece(): void {
    const { isOpen, clock, failed } = this.#options;
    if (isOpen() && !this.#budget.take(clock())) failed(new ProtocolError('Too many messages'));
  }

  read(transport: Transport | undefined): void {
    if (transport === undefined) return;
    try {
      if (!this.#hasBegun && !this.#begin(transport)) return;
      this.#readMessages();
    } catch (error) {
      this.#options.failed(error);
    }
  }

  /** Another socket begins with a whole message. */
  restart(handshake: Handshake): void {
    this.#reader.restart(handshake);
  }

  #begin(transport: Transport): boolean {
    const handshake = this.#reader.readHandshake(transport);
    if (handshake === undefined) return false;
    this.#hasBegun = true;
    this.#taken += 1;
    this.#options.began(handshake);
    return true;
  }

  #readMessages(): void {
    const { isOpen, clock, said } = this.#options;
    while (isOpen()) {
      const message = this.#reader.next();
      if (message === undefined) return;
      this.#taken += 1;
      if (!this.#budget.take(clock())) throw new ProtocolError('Too many messages');
      said(message);
    }
  }
}

import { type ClientMessage, ProtocolError } from '../codec/hub-protocol.ts';

type Kept = { readonly lastId: number; readonly framed: Buffer };

/** Kinds that are counted, and so sent again after a socket was lost. */
const countedKinds: ReadonlySet<ClientMessage['kind']> = new Set([
  'invocation',
  'streamItem',
  'completion',
  'cancelInvocation',
]);

/**
 * What a connection needs to go on with another socket: what was sent and not acknowledged, and how much was
 * received. Messages are numbered from 1 by both sides and the numbers are not on the wire.
 */
export class StatefulBuffer {
  #kept: Kept[] = [];
  #keptBytes = 0;
  #firstKept = 1;
  #lastSent = 0;
  #nextReceived = 1;
  #lastReceived = 0;
  #lastAcknowledged = 0;
  #awaitsSequence = false;

  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** Keeps a frame that holds `count` messages until the client has them. */
  keep(framed: Buffer, count: number): void {
    this.#lastSent += count;
    this.#kept.push({ lastId: this.#lastSent, framed });
    this.#keptBytes += framed.length;
  }

  /** The client has everything up to this one. */
  acknowledged(id: number): void {
    let count = 0;
    for (const { lastId, framed } of this.#kept) {
      if (lastId > id) break;
      count += 1;
      this.#firstKept = lastId + 1;
      this.#keptBytes -= framed.length;
    }
    if (count > 0) this.#kept.splice(0, count);
  }

  /** The socket is gone: until the client says where it goes on, nothing it says counts. */
  lost(): void {
    this.#awaitsSequence = true;
  }

  /** Number of the first message that is sent again, or of the next new one. */
  get resumesAt(): number {
    return this.#firstKept;
  }

  /** What is to be sent again, in order. */
  get unacknowledged(): readonly Buffer[] {
    return this.#kept.map(({ framed }) => framed);
  }

  /** The client goes on at this number. */
  resumed(id: number): void {
    this.#awaitsSequence = false;
    if (id > this.#nextReceived) throw new ProtocolError('Messages of the client were lost');
    this.#nextReceived = id;
  }

  /** Whether to act on the message: not when it came before. */
  isNew(message: ClientMessage): boolean {
    if (this.#awaitsSequence) return message.kind === 'sequence';
    if (!countedKinds.has(message.kind)) return true;
    const id = this.#nextReceived;
    this.#nextReceived += 1;
    if (id <= this.#lastReceived) {
      // The client has not seen our acknowledgement.
      this.#lastAcknowledged = Math.min(this.#lastAcknowledged, id - 1);
      return false;
    }
    this.#lastReceived = id;
    return true;
  }

  /** The number to acknowledge now, if any. */
  takeAcknowledgement(): number | undefined {
    if (this.#awaitsSequence || this.#lastReceived === this.#lastAcknowledged) return undefined;
    this.#lastAcknowledged = this.#lastReceived;
    return this.#lastReceived;
  }
}

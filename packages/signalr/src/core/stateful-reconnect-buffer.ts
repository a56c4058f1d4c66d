import { type ClientMessage, ProtocolError } from '../protocols/hub-protocol.ts';

type BufferedFrame = { readonly lastSequenceId: number; readonly framed: Buffer };

/** The message types that have a sequence id and are sent again after a reconnect. */
const sequencedKinds: ReadonlySet<ClientMessage['kind']> = new Set([
  'invocation',
  'streamItem',
  'completion',
  'cancelInvocation',
]);

/**
 * The state of a stateful reconnect: sent messages without an ack, and the sequence ids of received messages. Both
 * sides number their messages from 1; the ids are not part of the messages.
 */
export class StatefulReconnectBuffer {
  #frames: BufferedFrame[] = [];
  #bufferedBytes = 0;
  #firstBuffered = 1;
  #lastSent = 0;
  #nextReceived = 1;
  #lastReceived = 0;
  #lastAcked = 0;
  #isWaitingForSequence = false;

  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  /** Buffers a frame with `count` messages until the client acknowledges them. */
  add(framed: Buffer, count: number): void {
    this.#lastSent += count;
    this.#frames.push({ lastSequenceId: this.#lastSent, framed });
    this.#bufferedBytes += framed.length;
  }

  /** Drops all messages up to the acknowledged one. */
  ackReceived(sequenceId: number): void {
    let count = 0;
    for (const { lastSequenceId, framed } of this.#frames) {
      if (lastSequenceId > sequenceId) break;
      count += 1;
      this.#firstBuffered = lastSequenceId + 1;
      this.#bufferedBytes -= framed.length;
    }
    if (count > 0) this.#frames.splice(0, count);
  }

  /** Ignores all messages until the client sends its `sequence` message. */
  transportLost(): void {
    this.#isWaitingForSequence = true;
  }

  /** The sequence id of the first message that is sent again, or of the next new one. */
  get firstSequenceId(): number {
    return this.#firstBuffered;
  }

  /** The frames to send again, in order. */
  get unacknowledged(): readonly Buffer[] {
    return this.#frames.map(({ framed }) => framed);
  }

  /** The client sends its messages again from this id. */
  sequenceReceived(sequenceId: number): void {
    this.#isWaitingForSequence = false;
    if (sequenceId > this.#nextReceived) throw new ProtocolError('Messages of the client were lost');
    this.#nextReceived = sequenceId;
  }

  /** Returns false for a message that was received before the reconnect. */
  shouldProcess(message: ClientMessage): boolean {
    if (this.#isWaitingForSequence) return message.kind === 'sequence';
    if (!sequencedKinds.has(message.kind)) return true;
    const sequenceId = this.#nextReceived;
    this.#nextReceived += 1;
    if (sequenceId <= this.#lastReceived) {
      // The client has not received the ack, so it is sent again.
      this.#lastAcked = Math.min(this.#lastAcked, sequenceId - 1);
      return false;
    }
    this.#lastReceived = sequenceId;
    return true;
  }

  /** Returns the sequence id to acknowledge now, if any. */
  takeAck(): number | undefined {
    if (this.#isWaitingForSequence || this.#lastReceived === this.#lastAcked) return undefined;
    this.#lastAcked = this.#lastReceived;
    return this.#lastReceived;
  }
}

import type { Framer } from '../framed-message.ts';
import type { HubMessage } from '../hub-message.ts';
import type { Carrier, Ending } from './carrier.ts';
import { batchText, callsOf, errorText } from './classic-frames.ts';
import { keepReplyAlive, type Reply, replyText } from './classic-reply.ts';
import type { ClassicTimings } from './classic-timings.ts';

type Poll = { readonly reply: Reply; readonly since: number; aliveAt: number };

export type PollCarrierOptions = {
  readonly framer: Framer;
  readonly timings: ClassicTimings;
  /** Bytes that may wait for the next poll. */
  readonly pendingBytes: number;
};

/**
 * Long polling: messages wait for the next poll. When too many wait, the first of them are kept and no more are
 * taken; the client gets these, and then joins again from its own cursor.
 */
export class PollCarrier implements Carrier {
  readonly #options: PollCarrierOptions;
  #queue: string[] = [];
  #queuedBytes = 0;
  #queuedCursor = '';
  /** Where the client is told to go on from, after so many of the calls that wait. */
  #turn: { readonly cursor: string; readonly calls: number } | undefined;
  #delivered = '';
  #groupsToken: string | undefined;
  #ending: Ending | undefined;
  #poll: Poll | undefined;
  #flushing = false;

  constructor(options: PollCarrierOptions) {
    this.#options = options;
  }

  get place(): string {
    return this.#delivered;
  }

  get pendingBytes(): number {
    return this.#queuedBytes;
  }

  get isPolled(): boolean {
    return this.#poll !== undefined;
  }

  begin(cursor: string): void {
    this.#delivered = cursor;
    this.#queuedCursor = cursor;
  }

  /**
   * Told with the next answer, and what comes after it with a later one: otherwise a client that lost an answer could
   * name the same cursor as one that got it.
   */
  moveTo(cursor: string): void {
    this.#turn = { cursor, calls: this.#queue.length };
    this.#queuedCursor = cursor;
  }

  /** Whether a client that is at `cursor` can go on here, without a look into the past. */
  continuesFrom(cursor: string | undefined): boolean {
    if (cursor !== this.#delivered) return false;
    if (this.#ending === undefined || this.#ending.kind === 'error') return true;
    return this.#ending.kind === 'behind' && this.#queue.length > 0;
  }

  push(message: HubMessage): boolean {
    const calls = callsOf(message, this.#options.framer.frame(message, 'classicPayload'));
    const isFull = this.#queuedBytes + calls.length > this.#options.pendingBytes;
    if (isFull && this.#queue.length > 0) return false;
    if (calls !== '') this.#queue.push(calls);
    this.#queuedBytes += calls.length;
    this.#queuedCursor = message.cursor ?? this.#queuedCursor;
    this.#flushSoon();
    return true;
  }

  tellGroups(groupsToken: string): void {
    this.#groupsToken = groupsToken;
    this.#flushSoon();
  }

  /** Takes a poll of a client that says it is at `cursor`; one that was open is answered with nothing. */
  wait(reply: Reply, cursor: string | undefined, now: number): void {
    this.#dismiss();
    if (reply.response.closed) return;
    const poll = { reply, since: now, aliveAt: now };
    this.#poll = poll;
    reply.response.once('close', () => {
      if (this.#poll === poll) this.#poll = undefined;
    });
    if (cursor !== this.#delivered || this.#hasNews()) this.#flush();
  }

  beat(now: number): boolean {
    const poll = this.#poll;
    if (poll === undefined) return true;
    if (now - poll.since >= this.#options.timings.pollMs) this.#flush();
    else if (now - poll.aliveAt >= this.#options.timings.keepAliveMs) {
      poll.aliveAt = now;
      keepReplyAlive(poll.reply);
    }
    return true;
  }

  end(ending: Ending): void {
    this.#ending ??= ending;
    if (ending.kind === 'replaced') this.#dismiss();
    else if (ending.kind !== 'behind') this.#flush();
  }

  #hasNews(): boolean {
    if (this.#turn !== undefined || this.#groupsToken !== undefined) return true;
    return this.#queue.length > 0 || this.#ending !== undefined;
  }

  /** Not at once: the messages of one moment go out together. */
  #flushSoon(): void {
    if (this.#flushing || this.#poll === undefined) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      if (this.#hasNews()) this.#flush();
    });
  }

  #flush(): void {
    const poll = this.#poll;
    if (poll === undefined) return;
    this.#poll = undefined;
    if (this.#ending?.kind === 'error') {
      replyText(poll.reply, errorText(this.#ending.error));
      return;
    }
    const { cursor, calls: count } = this.#turn ?? { cursor: this.#queuedCursor, calls: this.#queue.length };
    const reconnect = this.#ending?.kind === 'reconnect';
    const calls = this.#queue.splice(0, count).join(',');
    replyText(poll.reply, batchText({ cursor, calls, groupsToken: this.#groupsToken, reconnect }));
    this.#delivered = cursor;
    this.#turn = undefined;
    this.#queuedBytes = this.#queue.reduce((sum, { length }) => sum + length, 0);
    this.#groupsToken = undefined;
  }

  #dismiss(): void {
    const poll = this.#poll;
    this.#poll = undefined;
    if (poll !== undefined) replyText(poll.reply, batchText({ cursor: this.#delivered }));
  }
}

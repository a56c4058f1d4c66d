import type { HubMessage } from '../../hub/hub-message.ts';
import type { Framer } from '../../runtime/message-framer.ts';
import type { ClassicTransport, EndReason } from './classic-transport.ts';
import { keepReplyAlive, type Reply, replyText } from './json-reply.ts';
import { batchText, errorText, invocationsText } from './persistent-response.ts';

type PendingPoll = { readonly reply: Reply; readonly startedAt: number; keepAliveSentAt: number };

export type ClassicLongPollingTransportOptions = {
  readonly framer: Framer;
  /** Limits the bytes queued for the next poll. */
  readonly maxPendingBytes: number;
  readonly connectionTimeoutMs: number;
  readonly keepAliveIntervalMs: number;
};

/**
 * Queues messages for the next poll. When the queue is full, later messages are dropped; the client gets the queued
 * ones and then connects again from its cursor.
 */
export class ClassicLongPollingTransport implements ClassicTransport {
  readonly #options: ClassicLongPollingTransportOptions;
  #queue: string[] = [];
  #queuedBytes = 0;
  #queuedCursor = '';
  /** A change of the cursor, due after the first `queuedBefore` messages of the queue. */
  #cursorChange: { readonly cursor: string; readonly queuedBefore: number } | undefined;
  #deliveredCursor = '';
  #groupsToken: string | undefined;
  #endReason: EndReason | undefined;
  #poll: PendingPoll | undefined;
  #isFlushScheduled = false;

  constructor(options: ClassicLongPollingTransportOptions) {
    this.#options = options;
  }

  get resumeCursor(): string {
    return this.#deliveredCursor;
  }

  get pendingBytes(): number {
    return this.#queuedBytes;
  }

  get hasPoll(): boolean {
    return this.#poll !== undefined;
  }

  start(cursor: string): void {
    this.#deliveredCursor = cursor;
    this.#queuedCursor = cursor;
  }

  /**
   * The new cursor is sent with the next response and later messages with another one. Otherwise a client that lost
   * the response could send the same cursor as a client that received it.
   */
  setCursor(cursor: string): void {
    this.#cursorChange = { cursor, queuedBefore: this.#queue.length };
    this.#queuedCursor = cursor;
  }

  /** Whether a client at `cursor` can continue with the queue, without a replay by the hub. */
  canContinueFrom(cursor: string | undefined): boolean {
    if (cursor !== this.#deliveredCursor) return false;
    if (this.#endReason === undefined || this.#endReason.kind === 'error') return true;
    return this.#endReason.kind === 'tooSlow' && this.#queue.length > 0;
  }

  send(message: HubMessage): boolean {
    const { framer, maxPendingBytes } = this.#options;
    const invocations = invocationsText(message, framer.frame(message, 'classicPayload'));
    const isFull = this.#queuedBytes + invocations.length > maxPendingBytes;
    if (isFull && this.#queue.length > 0) return false;
    if (invocations !== '') this.#queue.push(invocations);
    this.#queuedBytes += invocations.length;
    this.#queuedCursor = message.cursor ?? this.#queuedCursor;
    this.#scheduleFlush();
    return true;
  }

  sendGroupsToken(groupsToken: string): void {
    this.#groupsToken = groupsToken;
    this.#scheduleFlush();
  }

  /** Accepts a poll of a client at `cursor`. A poll that is still open gets an empty response. */
  poll(reply: Reply, cursor: string | undefined, now: number): void {
    this.#endPoll();
    if (reply.response.closed) return;
    const poll = { reply, startedAt: now, keepAliveSentAt: now };
    this.#poll = poll;
    reply.response.once('close', () => {
      if (this.#poll === poll) this.#poll = undefined;
    });
    if (cursor !== this.#deliveredCursor || this.#hasPendingData()) this.#flush();
  }

  onHeartbeat(now: number): boolean {
    const poll = this.#poll;
    if (poll === undefined) return true;
    const { connectionTimeoutMs, keepAliveIntervalMs } = this.#options;
    if (now - poll.startedAt >= connectionTimeoutMs) this.#flush();
    else if (now - poll.keepAliveSentAt >= keepAliveIntervalMs) {
      poll.keepAliveSentAt = now;
      keepReplyAlive(poll.reply);
    }
    return true;
  }

  end(reason: EndReason): void {
    this.#endReason ??= reason;
    if (reason.kind === 'replaced') this.#endPoll();
    else if (reason.kind !== 'tooSlow') this.#flush();
  }

  #hasPendingData(): boolean {
    if (this.#cursorChange !== undefined || this.#groupsToken !== undefined) return true;
    return this.#queue.length > 0 || this.#endReason !== undefined;
  }

  /** Flushes in the next tick, so that messages sent together are delivered together. */
  #scheduleFlush(): void {
    if (this.#isFlushScheduled || this.#poll === undefined) return;
    this.#isFlushScheduled = true;
    setImmediate(() => {
      this.#isFlushScheduled = false;
      if (this.#hasPendingData()) this.#flush();
    });
  }

  #flush(): void {
    const poll = this.#poll;
    if (poll === undefined) return;
    this.#poll = undefined;
    if (this.#endReason?.kind === 'error') {
      replyText(poll.reply, errorText(this.#endReason.error));
      return;
    }
    const cursor = this.#cursorChange?.cursor ?? this.#queuedCursor;
    const count = this.#cursorChange?.queuedBefore ?? this.#queue.length;
    const reconnect = this.#endReason?.kind === 'reconnect';
    const invocations = this.#queue.splice(0, count).join(',');
    replyText(poll.reply, batchText({ cursor, invocations, groupsToken: this.#groupsToken, reconnect }));
    this.#deliveredCursor = cursor;
    this.#cursorChange = undefined;
    this.#queuedBytes = this.#queue.reduce((sum, { length }) => sum + length, 0);
    this.#groupsToken = undefined;
  }

  #endPoll(): void {
    const poll = this.#poll;
    this.#poll = undefined;
    if (poll !== undefined) replyText(poll.reply, batchText({ cursor: this.#deliveredCursor }));
  }
}

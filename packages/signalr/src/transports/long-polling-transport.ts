import type { ServerResponse } from 'node:http';
import { type HttpResponse, sendResponse } from '../http/http-response.ts';
import type { ServerTransport } from './server-transport.ts';

type PendingPoll = { readonly response: ServerResponse; readonly headers: Readonly<Record<string, string>> };

const noContent: HttpResponse = { status: 204 };

/** Queues bytes for the next poll. Only one poll is open at a time: a second one ends the first. */
export class LongPollingTransport implements ServerTransport {
  readonly #contentType: () => string;
  readonly #onFinished: () => void;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #poll: PendingPoll | undefined;
  #pollStartedAt: number;
  #lastPollAt: number;
  #hasPolled = false;
  #ended = false;

  /** Calls `onFinished` when the client has received the end of the connection. */
  constructor(contentType: () => string, onFinished: () => void, now: number) {
    this.#contentType = contentType;
    this.#onFinished = onFinished;
    this.#pollStartedAt = now;
    this.#lastPollAt = now;
  }

  get pendingBytes(): number {
    return this.#queuedBytes;
  }

  write(payload: Buffer): void {
    if (this.#ended) return;
    this.#queue.push(payload);
    this.#queuedBytes += payload.length;
    this.#respondIfReady();
  }

  /** Always 0: a client that stops polling is closed by the disconnect timeout instead. */
  sendDelayMs(): number {
    return 0;
  }

  /** The time since the last poll, accurate to the heartbeat interval. */
  idleMs(now: number): number {
    return now - this.#lastPollAt;
  }

  poll(poll: PendingPoll, now: number): void {
    this.#respond(noContent);
    this.#poll = poll;
    this.#pollStartedAt = now;
    this.#lastPollAt = now;
    poll.response.on('close', () => {
      if (this.#poll === poll) this.#poll = undefined;
    });
    if (this.#hasPolled) return this.#respondIfReady();
    // The response to the first poll only confirms the connection.
    this.#hasPolled = true;
    this.#respond({ status: 200, headers: { 'content-type': this.#contentType() } });
  }

  onHeartbeat(now: number, pollTimeoutMs: number): void {
    if (this.#poll === undefined) return;
    this.#lastPollAt = now;
    if (now - this.#pollStartedAt < pollTimeoutMs) return;
    this.#respond({ status: 200, headers: { 'content-type': this.#contentType() } });
  }

  end(): void {
    this.#ended = true;
    this.#respondIfReady();
  }

  destroy(): void {
    this.#ended = true;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#respondIfReady();
  }

  #respondIfReady(): void {
    if (this.#poll === undefined) return;
    if (this.#queue.length > 0) {
      const body = Buffer.concat(this.#queue);
      this.#queue = [];
      this.#queuedBytes = 0;
      this.#respond({ status: 200, body, headers: { 'content-type': this.#contentType() } });
    } else if (this.#ended) {
      this.#respond(noContent);
      this.#onFinished();
    }
  }

  #respond(response: HttpResponse): void {
    const poll = this.#poll;
    this.#poll = undefined;
    if (poll !== undefined) sendResponse(poll.response, response, poll.headers);
  }
}

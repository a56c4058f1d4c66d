import type { ServerResponse } from 'node:http';
import { type Answer, sendAnswer } from '../answer.ts';
import type { Sink } from './sink.ts';

type Poll = { readonly response: ServerResponse; readonly headers: Readonly<Record<string, string>> };

const ended: Answer = { status: 204 };

/** Keeps bytes for the next poll. One poll waits at a time: a second one sends the first home. */
export class LongPollSink implements Sink {
  readonly #contentType: () => string;
  readonly #finished: () => void;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #poll: Poll | undefined;
  #pollSince: number;
  #lastSeen: number;
  #hasPolled = false;
  #ended = false;

  /** `finished` is called when a client has been told of the end. */
  constructor(contentType: () => string, finished: () => void, now: number) {
    this.#contentType = contentType;
    this.#finished = finished;
    this.#pollSince = now;
    this.#lastSeen = now;
  }

  get pendingBytes(): number {
    return this.#queuedBytes;
  }

  write(payload: Buffer): void {
    if (this.#ended) return;
    this.#queue.push(payload);
    this.#queuedBytes += payload.length;
    this.#answerIfDue();
  }

  /** Without polls the connection is idle, and ends for that. */
  unsentAge(): number {
    return 0;
  }

  /** How long there has been no poll, in ms; exact to the interval of the heartbeat. */
  idleFor(now: number): number {
    return now - this.#lastSeen;
  }

  poll(poll: Poll, now: number): void {
    this.#answer(ended);
    this.#poll = poll;
    this.#pollSince = now;
    this.#lastSeen = now;
    poll.response.on('close', () => {
      if (this.#poll === poll) this.#poll = undefined;
    });
    if (this.#hasPolled) return this.#answerIfDue();
    // The first poll only tells the client that it is connected.
    this.#hasPolled = true;
    this.#answer({ status: 200, headers: { 'content-type': this.#contentType() } });
  }

  beat(now: number, pollMs: number): void {
    if (this.#poll === undefined) return;
    this.#lastSeen = now;
    if (now - this.#pollSince < pollMs) return;
    this.#answer({ status: 200, headers: { 'content-type': this.#contentType() } });
  }

  end(): void {
    this.#ended = true;
    this.#answerIfDue();
  }

  destroy(): void {
    this.#ended = true;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#answerIfDue();
  }

  #answerIfDue(): void {
    if (this.#poll === undefined) return;
    if (this.#queue.length > 0) {
      const body = Buffer.concat(this.#queue);
      this.#queue = [];
      this.#queuedBytes = 0;
      this.#answer({ status: 200, body, headers: { 'content-type': this.#contentType() } });
    } else if (this.#ended) {
      this.#answer(ended);
      this.#finished();
    }
  }

  #answer(answer: Answer): void {
    const poll = this.#poll;
    this.#poll = undefined;
    if (poll !== undefined) sendAnswer(poll.response, answer, poll.headers);
  }
}

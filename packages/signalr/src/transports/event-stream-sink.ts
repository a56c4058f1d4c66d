import type { ServerResponse } from 'node:http';
import { type Sink, UnsentWatch } from './sink.ts';

/** How long a client may take to read the rest, in ms. */
const closeWaitMs = 5_000;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** No cache may keep it and no proxy may hold it back. */
const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store',
  pragma: 'no-cache',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
} as const;

/** One event: a `data:` line for each line of the payload. */
export function eventStreamFrame(payload: Buffer): Buffer {
  const parts: Buffer[] = [];
  let start = 0;
  while (start <= payload.length) {
    const found = payload.indexOf(lineFeed, start);
    const end = found === -1 ? payload.length : found;
    const hasReturn = end > start && payload[end - 1] === carriageReturn;
    parts.push(dataPrefix, payload.subarray(start, hasReturn ? end - 1 : end), lineEnd);
    start = end + 1;
  }
  parts.push(lineEnd);
  return Buffer.concat(parts);
}

const dataPrefix = Buffer.from('data: ');
const lineEnd = Buffer.from('\r\n');

/** Answers 200 and keeps the response open; `first` is written at once so that the client sees it is connected. */
export class EventStreamSink implements Sink {
  readonly #response: ServerResponse;
  readonly #watch = new UnsentWatch();
  #open = true;

  constructor(response: ServerResponse, headers: Record<string, string>, first: Buffer) {
    this.#response = response;
    response.on('close', () => {
      this.#open = false;
    });
    response.on('error', () => {
      this.#open = false;
    });
    response.socket?.setNoDelay(true);
    response.writeHead(200, { ...headers, ...eventStreamHeaders });
    response.write(first);
  }

  /** Of the socket: the response counts bytes that it holds until the next tick, too. */
  get pendingBytes(): number {
    return this.#response.writableLength;
  }

  write(framed: Buffer): void {
    if (this.#open) this.#response.write(framed);
  }

  unsentAge(now: number): number {
    const { socket } = this.#response;
    return socket === null ? 0 : this.#watch.age(socket, now);
  }

  end(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#response.end();
    const timer = setTimeout(() => this.destroy(), closeWaitMs);
    timer.unref();
    this.#response.on('close', () => clearTimeout(timer));
  }

  destroy(): void {
    this.#open = false;
    this.#response.destroy();
  }
}

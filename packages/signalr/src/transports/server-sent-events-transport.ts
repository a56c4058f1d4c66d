import type { ServerResponse } from 'node:http';
import { SendDelay } from './send-delay.ts';
import type { ServerTransport } from './server-transport.ts';

/** How long a client may take to read the pending bytes. */
const closeTimeoutMs = 5_000;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Prevents caching, and buffering by proxies. */
const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store',
  pragma: 'no-cache',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
} as const;

/** Encodes one event, with a `data:` line for each line of the payload. */
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

/** Keeps a 200 response open. `first` is written at once, so that the client knows it is connected. */
export class ServerSentEventsTransport implements ServerTransport {
  readonly #response: ServerResponse;
  readonly #sendDelay = new SendDelay();
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

  /** Includes bytes that the response holds until the next tick. */
  get pendingBytes(): number {
    return this.#response.writableLength;
  }

  write(framed: Buffer): void {
    if (this.#open) this.#response.write(framed);
  }

  sendDelayMs(now: number): number {
    const { socket } = this.#response;
    return socket === null ? 0 : this.#sendDelay.measureMs(socket, now);
  }

  end(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#response.end();
    const timer = setTimeout(() => this.destroy(), closeTimeoutMs);
    timer.unref();
    this.#response.on('close', () => clearTimeout(timer));
  }

  destroy(): void {
    this.#open = false;
    this.#response.destroy();
  }
}

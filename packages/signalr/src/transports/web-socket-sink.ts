import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Progress, type Sink, UnsentWatch } from './sink.ts';

/** How long a client may take to answer a close, in ms. */
const closeWaitMs = 5_000;

export type WebSocketAcceptor = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  opened: (webSocket: WebSocket) => void,
) => void;

/** Upgrades requests that have been let in. Nothing is compressed: that costs memory per client and leaks lengths. */
export function createWebSocketAcceptor(options: { readonly maxPayload: number }): WebSocketAcceptor {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: options.maxPayload,
  });
  return (request, socket, head, opened) => server.handleUpgrade(request, socket, head, opened);
}

/**
 * Writes ready frames straight to the socket. `ws` reads, answers pings and closes; it writes whole frames in one go
 * when it does not compress, so the two never mix within a frame.
 */
export class WebSocketSink implements Sink {
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex & Progress;
  readonly #watch = new UnsentWatch();
  #open = true;

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket;
    this.#socket = socket as Duplex & Progress;
    webSocket.on('close', () => {
      this.#open = false;
    });
    webSocket.on('error', () => {
      this.#open = false;
    });
  }

  get pendingBytes(): number {
    return this.#socket.writableLength;
  }

  write(framed: Buffer): void {
    if (this.#open && this.#socket.writable) this.#socket.write(framed);
  }

  unsentAge(now: number): number {
    return this.#watch.age(this.#socket, now);
  }

  end(code: number, reason: string): void {
    if (!this.#open) return;
    this.#open = false;
    this.#webSocket.close(code, reason);
    const timer = setTimeout(() => this.destroy(), closeWaitMs);
    timer.unref();
    this.#webSocket.on('close', () => clearTimeout(timer));
  }

  destroy(): void {
    this.#open = false;
    this.#webSocket.terminate();
  }
}

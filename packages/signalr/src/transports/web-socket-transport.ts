import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { SendDelay, type SocketProgress } from './send-delay.ts';
import type { ServerTransport } from './server-transport.ts';

const closeTimeoutMs = 5_000;

export type WebSocketAcceptor = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  opened: (webSocket: WebSocket) => void,
) => void;

/** Upgrades accepted requests. Compression is off, because it costs memory per client and leaks lengths. */
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
 * Writes prepared frames directly to the socket. `ws` reads, answers pings and closes. Without compression it writes
 * each frame with one call, so its frames and ours are never interleaved.
 */
export class WebSocketTransport implements ServerTransport {
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex & SocketProgress;
  readonly #sendDelay = new SendDelay();
  #open = true;

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket;
    this.#socket = socket as Duplex & SocketProgress;
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

  sendDelayMs(now: number): number {
    return this.#sendDelay.measureMs(this.#socket, now);
  }

  end(code: number, reason: string): void {
    if (!this.#open) return;
    this.#open = false;
    this.#webSocket.close(code, reason);
    const timer = setTimeout(() => this.destroy(), closeTimeoutMs);
    timer.unref();
    this.#webSocket.on('close', () => clearTimeout(timer));
  }

  destroy(): void {
    this.#open = false;
    this.#webSocket.terminate();
  }
}

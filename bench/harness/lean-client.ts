import { connect, type Socket } from 'node:net';

/** One request and its answer, as far as a benchmark cares. */
export type Reply = { status: number; body: string; milliseconds: number };

/**
 * An HTTP/1.1 client that costs as little as it can, because it shares two cores with what it measures: one
 * keep-alive socket, one request at a time, requests handed over as ready-made bytes.
 */
export class LeanClient {
  readonly #socket: Socket;
  #received = '';
  #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void; since: number } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => this.#read(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  static open(port: number, host = '127.0.0.1'): Promise<LeanClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host }, () => {
        socket.off('error', reject);
        resolve(new LeanClient(socket));
      });
      socket.once('error', reject);
    });
  }

  send(request: Buffer | string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject, since: performance.now() };
      // A write to a closed socket neither sends nor fails.
      if (this.#socket.destroyed) this.#fail(new Error('the server has closed the connection'));
      else this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  #read(chunk: string): void {
    this.#received += chunk;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = this.#received.slice(0, headEnd);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const end = headEnd + 4 + length;
    if (this.#received.length < end) return;
    const waiting = this.#waiting;
    const body = this.#received.slice(headEnd + 4, end);
    this.#received = this.#received.slice(end);
    this.#waiting = undefined;
    waiting?.resolve({
      status: Number(head.slice(9, 12)),
      body,
      milliseconds: performance.now() - waiting.since,
    });
  }

  #fail(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(error);
  }
}

/** The bytes of a POST, ready to be written to a socket; an empty token is not sent. */
export function postBytes(path: string, token: string, body: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(body));
  const head =
    `POST ${path} HTTP/1.1\r\nHost: bench\r\n${token === '' ? '' : `Authorization: Bearer ${token}\r\n`}` +
    `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), text]);
}

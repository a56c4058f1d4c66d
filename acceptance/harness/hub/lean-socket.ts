import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export type LeanSocketEvents = {
  /** Each text or binary message, in a shared buffer that is valid until the call returns. */
  onMessage(payload: Buffer): void;
  /** Called once at the end; the status if the upgrade was refused. */
  onEnd(status: number): void;
};

/**
 * One buffer for all clients of a process: each read is handled before the next. By default sockets allocate a buffer for
 * each read, which is gigabytes of garbage a second for a thousand clients.
 */
const shared = Buffer.alloc(1_048_576);

/**
 * A WebSocket client with minimal cost, because thousands of clients share a machine with the server under test: one TCP
 * socket, no copies except of frames that span reads, and no checks that reading does not need.
 */
export class LeanSocket {
  readonly #socket: Socket;
  readonly #events: LeanSocketEvents;
  #rest: Buffer = Buffer.alloc(0);
  #status = 0;
  #ended = false;

  /** `path` includes the query. `onOpen` is called when the upgrade is accepted. */
  constructor(port: number, path: string, events: LeanSocketEvents, onOpen: () => void) {
    this.#events = events;
    const onread = {
      buffer: shared,
      callback: (read: number) => {
        this.#read(shared.subarray(0, read), onOpen);
        return true;
      },
    };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread }, () => {
      this.#socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
      );
    });
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#end());
  }

  /** Sends a text below 64 kB, masked as the protocol requires. */
  send(text: string): void {
    const payload = Buffer.from(text);
    const isShort = payload.length < 126;
    const header = Buffer.alloc(isShort ? 6 : 8);
    header[0] = 0x81;
    header[1] = 0x80 | (isShort ? payload.length : 126);
    // A mask of zeros does not change the payload.
    if (!isShort) header.writeUInt16BE(payload.length, 2);
    this.#socket.write(Buffer.concat([header, payload]));
  }

  /** Stops reading, so that the buffers of the server fill. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#events.onEnd(this.#status);
  }

  #read(chunk: Buffer, onOpen: () => void): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#status === 0 && !this.#readHead(onOpen)) return;
    while (this.#rest.length >= 2 && this.#readFrame());
    // Copies the rest of an incomplete frame, because the next read overwrites the shared buffer.
    if (this.#rest.length > 0) this.#rest = Buffer.from(this.#rest);
  }

  #readHead(onOpen: () => void): boolean {
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0) return false;
    this.#status = Number(this.#rest.toString('latin1', 9, 12));
    this.#rest = this.#rest.subarray(end + 4);
    if (this.#status === 101) onOpen();
    else this.#socket.destroy();
    return this.#status === 101;
  }

  #readFrame(): boolean {
    const rest = this.#rest;
    const short = (rest[1] ?? 0) & 0x7f;
    const start = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (rest.length < start) return false;
    const length =
      short === 126 ? rest.readUInt16BE(2) : short === 127 ? Number(rest.readBigUInt64BE(2)) : short;
    if (rest.length < start + length) return false;
    const opcode = (rest[0] ?? 0) & 0x0f;
    this.#rest = rest.subarray(start + length);
    if (opcode === 8) this.#socket.end(Buffer.from([0x88, 0x80, 0, 0, 0, 0]));
    else if (opcode <= 2) this.#events.onMessage(rest.subarray(start, start + length));
    return true;
  }
}

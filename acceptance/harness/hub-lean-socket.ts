import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export type LeanSocketEvents = {
  /** Each text or binary message, as a view that is good until the call returns. */
  onMessage(payload: Buffer): void;
  /** Once, however it ended; the status when it was refused. */
  onEnd(status: number): void;
};

/**
 * One for all clients of a process: what is read is handled before anything else is. A buffer for each read, as sockets
 * have them by default, makes gigabytes a second of garbage for a thousand clients.
 */
const shared = Buffer.alloc(1_048_576);

/**
 * A WebSocket client that costs as little as it can, because thousands of it share a machine with what they look at:
 * one TCP socket, no copies but where a frame spans reads, and no checks beyond what reading needs.
 */
export class LeanSocket {
  readonly #socket: Socket;
  readonly #events: LeanSocketEvents;
  #rest: Buffer = Buffer.alloc(0);
  #status = 0;
  #ended = false;

  /** `path` with its query; `onOpen` when the server has agreed. */
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

  /** Text below 64 kB, masked as clients must. */
  send(text: string): void {
    const payload = Buffer.from(text);
    const isShort = payload.length < 126;
    const header = Buffer.alloc(isShort ? 6 : 8);
    header[0] = 0x81;
    header[1] = 0x80 | (isShort ? payload.length : 126);
    // A mask of zeros leaves the payload as it is.
    if (!isShort) header.writeUInt16BE(payload.length, 2);
    this.#socket.write(Buffer.concat([header, payload]));
  }

  /** Stops reading, so that the server's buffers fill; or goes on. */
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
    // The next read overwrites what was not a whole frame yet.
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

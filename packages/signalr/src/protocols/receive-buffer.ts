import { ProtocolError } from './hub-protocol.ts';

const empty = Buffer.alloc(0);

/** Received bytes that are not parsed yet. */
export class ReceiveBuffer {
  #bytes: Buffer = empty;

  get length(): number {
    return this.#bytes.length;
  }

  add(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
  }

  at(index: number): number | undefined {
    return this.#bytes[index];
  }

  /** Takes the bytes before the first `end` and drops `end`. Returns undefined until `end` has arrived. */
  takeUntil(end: number, maxBytes: number): Buffer | undefined {
    const found = this.#bytes.indexOf(end);
    if (found >= maxBytes || (found === -1 && this.#bytes.length >= maxBytes)) throw messageTooLong(maxBytes);
    if (found === -1) return undefined;
    const taken = this.#bytes.subarray(0, found);
    this.#drop(found + 1);
    return taken;
  }

  /** Drops the first `skip` bytes and takes the next `length`. */
  take(skip: number, length: number): Buffer {
    const taken = this.#bytes.subarray(skip, skip + length);
    this.#drop(skip + length);
    return taken;
  }

  takeAll(): Buffer {
    const taken = this.#bytes;
    this.#bytes = empty;
    return taken;
  }

  #drop(length: number): void {
    this.#bytes = length === this.#bytes.length ? empty : this.#bytes.subarray(length);
  }
}

export function messageTooLong(maxBytes: number): ProtocolError {
  return new ProtocolError(`A message is longer than ${maxBytes} bytes`);
}

import { ProtocolError } from './hub-protocol.ts';

const nothing = Buffer.alloc(0);

/** Bytes that have come and are not used up. */
export class Inbox {
  #bytes: Buffer = nothing;

  get length(): number {
    return this.#bytes.length;
  }

  add(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
  }

  at(index: number): number | undefined {
    return this.#bytes[index];
  }

  /** Up to before the first `end`, which is used up too; undefined while it is not there. */
  takeUntil(end: number, most: number): Buffer | undefined {
    const found = this.#bytes.indexOf(end);
    if (found >= most || (found === -1 && this.#bytes.length >= most)) throw tooLong(most);
    if (found === -1) return undefined;
    const taken = this.#bytes.subarray(0, found);
    this.#drop(found + 1);
    return taken;
  }

  /** The `length` bytes after the first `skip`, which are dropped. */
  take(skip: number, length: number): Buffer {
    const taken = this.#bytes.subarray(skip, skip + length);
    this.#drop(skip + length);
    return taken;
  }

  takeAll(): Buffer {
    const taken = this.#bytes;
    this.#bytes = nothing;
    return taken;
  }

  #drop(length: number): void {
    this.#bytes = length === this.#bytes.length ? nothing : this.#bytes.subarray(length);
  }
}

export function tooLong(most: number): ProtocolError {
  return new ProtocolError(`A message is longer than ${most} bytes`);
}

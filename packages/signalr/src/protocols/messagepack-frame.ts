import { Encoder } from '@msgpack/msgpack';

const encoder = new Encoder({ ignoreUndefined: true });

/** Encodes one message: its length as a VarInt (seven bits per byte, lowest first), then the MessagePack array. */
export function messagePackFrame(parts: readonly unknown[]): Buffer {
  const body = encoder.encodeSharedRef(parts);
  const prefix = varInt(body.length);
  const frame = Buffer.allocUnsafe(prefix.length + body.length);
  frame.set(prefix, 0);
  frame.set(body, prefix.length);
  return frame;
}

function varInt(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low | 0x80 : low);
  } while (rest > 0);
  return bytes;
}

/** A longer frame is no reply of baresip. */
const maxFrameBytes = 65_536;
const maxLengthDigits = String(maxFrameBytes).length;

export function writeNetstring(text: string): string {
  return `${Buffer.byteLength(text)}:${text},`;
}

/**
 * Reads frames of the form `5:hello,` from a stream. Bytes that are no frame are skipped up to the next one, because a
 * single odd byte must not silence a call that goes on.
 */
export function createNetstringReader(onFrame: (text: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const frame = nextFrame(rest);
      if (frame.kind === 'incomplete') return;
      rest = rest.subarray(frame.bytes);
      if (frame.kind === 'frame') onFrame(frame.text);
    }
  };
}

type Read =
  | { kind: 'incomplete' }
  | { kind: 'frame'; text: string; bytes: number }
  | { kind: 'junk'; bytes: number };

const colon = 58;
const comma = 44;
const [zero, nine] = [48, 57];

function nextFrame(bytes: Buffer): Read {
  if (bytes.length === 0) return { kind: 'incomplete' };
  let digits = 0;
  while (digits < bytes.length && isDigit(bytes[digits])) digits += 1;
  if (digits === 0 || digits > maxLengthDigits) return { kind: 'junk', bytes: Math.max(1, digits) };
  if (digits === bytes.length) return { kind: 'incomplete' };
  const length = Number(bytes.toString('latin1', 0, digits));
  if (bytes[digits] !== colon || length > maxFrameBytes) return { kind: 'junk', bytes: digits };
  const end = digits + 1 + length;
  if (bytes.length <= end) return { kind: 'incomplete' };
  if (bytes[end] !== comma) return { kind: 'junk', bytes: digits };
  return { kind: 'frame', text: bytes.toString('utf8', digits + 1, end), bytes: end + 1 };
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}

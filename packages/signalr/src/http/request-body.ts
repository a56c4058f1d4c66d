import type { IncomingMessage } from 'node:http';

/** Reads the whole body. A body above `maxBytes` is not read to its end. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<Buffer | 'too-large' | 'broken'> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) return 'too-large';
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) return 'too-large';
      chunks.push(chunk);
    }
  } catch {
    return 'broken';
  }
  return Buffer.concat(chunks, length);
}

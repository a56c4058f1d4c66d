import type { IncomingMessage } from 'node:http';

/** The whole body, or `too-large`; what is too large is not read to its end. */
export async function readBody(
  request: IncomingMessage,
  most: number,
): Promise<Buffer | 'too-large' | 'broken'> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > most) return 'too-large';
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > most) return 'too-large';
      chunks.push(chunk);
    }
  } catch {
    return 'broken';
  }
  return Buffer.concat(chunks, length);
}

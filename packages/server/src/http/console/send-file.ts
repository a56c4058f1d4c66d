import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Encoding, encodings, type ServedFile } from './console-files.ts';

const aYear = 'public, max-age=31536000, immutable';
/** Kept, but asked for again at each use: the service worker must not outlive an update. */
const untilChanged = 'no-cache';

/** Sends a file in the best encoding that the browser takes. A file whose name contains a hash is kept for a year. */
export function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { file, isHashed }: { file: ServedFile; isHashed: boolean },
): void {
  const encoding = bestEncoding(headers['accept-encoding'], file);
  const tag = encoding ? `"${file.hash}-${encoding}"` : `"${file.hash}"`;
  reply.headers({
    etag: tag,
    vary: 'accept-encoding',
    'cache-control': isHashed ? aYear : untilChanged,
  });
  const known = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(tag)) return void reply.code(304).send();
  reply.type(file.contentType);
  if (encoding) reply.header('content-encoding', encoding);
  void reply.send(encoding ? file.encoded[encoding] : file.content);
}

function bestEncoding(accepted: string | undefined, { encoded }: ServedFile): Encoding | undefined {
  const taken = (accepted ?? '').split(',').flatMap((one) => {
    const [name = '', quality = ''] = one.split(';').map((part) => part.trim().toLowerCase());
    return /^q=0(\.0*)?$/.test(quality) ? [] : [name];
  });
  return (Object.keys(encodings) as Encoding[]).find((name) => encoded[name] && taken.includes(name));
}

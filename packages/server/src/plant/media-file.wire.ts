import { createHash } from 'node:crypto';
import { type MediaFile, type MediaFileBody, mediaNamePattern } from '@tocsin/contract';
import { formatUtc } from '@tocsin/domain';
import { invalid } from '../common/problem.ts';
import type { MediaContent, MediaFileRow } from './media-file.store.ts';

/** In base64 and JSON this still fits into the largest allowed body. */
export const maxContentBytes = 700_000;

const anyContent = () => true;

/** The allowed content types, each with a check of the content. */
const contentTypes = new Map<string, (content: Buffer) => boolean>([
  ['audio/wav', (content) => hasText(content, 0, 'RIFF') && hasText(content, 8, 'WAVE')],
  ['audio/ogg', (content) => hasText(content, 0, 'OggS')],
  ['audio/mpeg', anyContent],
  ['text/plain', anyContent],
  ['application/pdf', anyContent],
  ['image/png', anyContent],
  ['image/jpeg', anyContent],
]);

const mediaName = new RegExp(mediaNamePattern);

/** Reads the file of a request, or throws a problem that names the wrong member. */
export function mediaContent({ name, contentType, content: encoded }: MediaFileBody): MediaContent {
  if (!mediaName.test(name)) throw invalid('/name', 'must be a plain file name, without any path');
  const isOfType = contentTypes.get(contentType);
  if (!isOfType) throw invalid('/contentType', `must be one of ${[...contentTypes.keys()].join(', ')}`);

  const content = Buffer.from(encoded, 'base64');
  // The decoder skips invalid characters, so the result is encoded again and compared.
  if (content.toString('base64') !== encoded) throw invalid('/content', 'must be base64');
  if (content.length === 0) throw invalid('/content', 'must not be empty');
  if (content.length > maxContentBytes)
    throw invalid('/content', `must not be larger than ${maxContentBytes} bytes`);
  if (!isOfType(content)) throw invalid('/content', `is not ${contentType}`);
  return { name, contentType, content, sha256: createHash('sha256').update(content).digest('hex') };
}

/** The type of audio by its first bytes; undefined for other content. */
export function audioTypeOf(content: Buffer): string | undefined {
  if (hasText(content, 0, 'RIFF') && hasText(content, 8, 'WAVE')) return 'audio/wav';
  if (hasText(content, 0, 'OggS')) return 'audio/ogg';
  // An MPEG frame begins with eleven set bits; most files begin with a tag.
  const [first = 0, second = 0] = content;
  const isFrame = first === 0xff && (second & 0xe0) === 0xe0 && content.length > 128;
  return hasText(content, 0, 'ID3') || isFrame ? 'audio/mpeg' : undefined;
}

export function mediaFileToWire(row: MediaFileRow): MediaFile {
  const { id, name, contentType, size, sha256, lastChange } = row;
  return { id, name, contentType, size, sha256, lastChange: formatUtc(lastChange) };
}

/** Makes browsers save the file, and never show it in the page. */
export function attachmentDisposition(name: string): string {
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}

function hasText(content: Buffer, offset: number, text: string): boolean {
  return content.toString('latin1', offset, offset + text.length) === text;
}

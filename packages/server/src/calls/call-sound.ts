import { createHash } from 'node:crypto';
import { addMediaIfMissing } from '../plant/media-file.store.ts';
import { audioTypeOf, maxContentBytes } from '../plant/media-file.wire.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { findUnknownMedia } from './callee.store.ts';

type MessageMedia = { msgAudio?: string | null; msgFile?: string | null };

/** The files of the media library that a call plays and attaches, and the reason if one could not be used. */
export type CallMedia = { audio: string; file: string; reason: string };

/** Finds the files that the message names, and stores audio that it contains. Unusable media are left out and reported. */
export async function callMedia(
  transaction: TenantTransaction,
  { msgAudio, msgFile }: MessageMedia,
): Promise<CallMedia> {
  const file = await libraryName(transaction, msgFile);
  const audio = (await libraryName(transaction, msgAudio)) ?? (await keepAudio(transaction, msgAudio ?? ''));
  const faults = [
    ...(audio === undefined ? [`msgAudio unknown: ${shown(msgAudio)}`] : []),
    ...(file === undefined ? [`msgFile unknown: ${shown(msgFile)}`] : []),
  ];
  return { audio: audio ?? '', file: file ?? '', reason: faults.join('; ') };
}

/** Clients of the former server send paths of its disk. Only the file name is looked up; no path is opened. */
function lastPart(path: string): string {
  return path.slice(path.search(/[^\\/:]*$/));
}

/** The name in the library; empty if none was given, undefined if the library does not have it. */
async function libraryName(
  transaction: TenantTransaction,
  given: string | null | undefined,
): Promise<string | undefined> {
  if (!given) return '';
  const name = lastPart(given);
  const isName = name !== '' && name.length <= maxNameLength;
  return isName && (await findUnknownMedia(transaction, [name])).length === 0 ? name : undefined;
}

const maxNameLength = 128;
const dataPrefix = /^data:[^,]{0,128};base64,/i;

/** Stores audio that came with the call in the library; the same audio is stored once. */
async function keepAudio(transaction: TenantTransaction, given: string): Promise<string | undefined> {
  const content = Buffer.from(given.replace(dataPrefix, ''), 'base64');
  const contentType = audioTypeOf(content);
  if (contentType === undefined || content.length > maxContentBytes) return undefined;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const name = `sent-${sha256.slice(0, 16)}.${contentType.slice('audio/'.length)}`;
  await addMediaIfMissing(transaction, { name, contentType, content, sha256 });
  return name;
}

const maxShownLength = 64;

function shown(given: string | null | undefined): string {
  const text = given ?? '';
  return text.length <= maxShownLength ? text : `${text.slice(0, maxShownLength)}…`;
}

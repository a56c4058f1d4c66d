import { createHash } from 'node:crypto';
import { findOrKeepMedia } from '../plant/media-file.store.ts';
import { audioTypeOf, largestContent } from '../plant/media-file.wire.ts';
import type { TenantTransaction } from '../postgres/tenant-transaction.ts';
import { findUnknownMedia } from './callee.store.ts';

type Given = { msgAudio?: string | null; msgFile?: string | null };

/** What a call plays and attaches, as names in the media library, and what of it could not be used. */
export type CallMedia = { audio: string; file: string; reason: string };

/** Finds what the message names, and keeps the audio it brings. What cannot be used is left out, and told. */
export async function callMedia(
  transaction: TenantTransaction,
  { msgAudio, msgFile }: Given,
): Promise<CallMedia> {
  const file = await libraryName(transaction, msgFile);
  const audio = (await libraryName(transaction, msgAudio)) ?? (await keepAudio(transaction, msgAudio ?? ''));
  const left = [
    ...(audio === undefined ? [`msgAudio unknown: ${shown(msgAudio)}`] : []),
    ...(file === undefined ? [`msgFile unknown: ${shown(msgFile)}`] : []),
  ];
  return { audio: audio ?? '', file: file ?? '', reason: left.join('; ') };
}

/** Clients of the old server name paths of its disk. Of a path, the last part is looked up, and nothing is opened. */
function lastPart(path: string): string {
  return path.slice(path.search(/[^\\/:]*$/));
}

/** Empty for nothing, undefined for what the library does not have. */
async function libraryName(
  transaction: TenantTransaction,
  given: string | null | undefined,
): Promise<string | undefined> {
  if (!given) return '';
  const name = lastPart(given);
  const isName = name !== '' && name.length <= longestName;
  return isName && (await findUnknownMedia(transaction, [name])).length === 0 ? name : undefined;
}

const longestName = 128;
const dataPrefix = /^data:[^,]{0,128};base64,/i;

/** Audio that came with the call is a file of the library from then on; the same audio is kept once. */
async function keepAudio(transaction: TenantTransaction, given: string): Promise<string | undefined> {
  const content = Buffer.from(given.replace(dataPrefix, ''), 'base64');
  const contentType = audioTypeOf(content);
  if (contentType === undefined || content.length > largestContent) return undefined;
  const sha256 = createHash('sha256').update(content).digest('hex');
  const name = `sent-${sha256.slice(0, 16)}.${contentType.slice('audio/'.length)}`;
  await findOrKeepMedia(transaction, { name, contentType, content, sha256 });
  return name;
}

const longestShown = 64;

function shown(given: string | null | undefined): string {
  const text = given ?? '';
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
}

import { createHash } from 'node:crypto';
import type { MediaContent } from '../port/channel.ts';
import { convertAudio } from './convert-audio.ts';
import { type SpeakingPlace, toolTimeoutMs } from './speak-text.ts';
import type { SpeechCache } from './speech-cache.ts';
import { isAudible, playableSamples } from './wav.ts';

/** A shorter recording is taken for junk, and the text is spoken instead. */
const minSeconds = 0.5;

/** The types of the media library that can be played. MP3 needs a package of sox that is not always installed. */
const soxTypes = new Map([
  ['audio/wav', 'wav'],
  ['audio/ogg', 'ogg'],
  ['audio/mpeg', 'mp3'],
] as const);
type AudioType = Parameters<typeof soxTypes.get>[0];

const isAudioType = (type: string): type is AudioType => soxTypes.has(type as AudioType);

/** The samples of a recording, converted if necessary; a reason if it cannot be played. */
export async function convertRecording(
  { contentType, content }: MediaContent,
  { cache, place }: { cache: SpeechCache; place: SpeakingPlace },
): Promise<{ readonly samples: Buffer } | { readonly fault: string }> {
  const ready = playableSamples(content);
  if (ready !== undefined && isAudible(ready, minSeconds)) return { samples: ready };
  const type = isAudioType(contentType) ? soxTypes.get(contentType) : undefined;
  if (type === undefined) return { fault: `it is ${contentType}, not audio` };
  const key = createHash('sha256').update('recording').update(content).digest('hex');
  const known = await cache.read(key);
  if (known !== undefined) return { samples: known };
  const cwd = await place.workFolder();
  const result = await convertAudio({ content, type, cwd, timeoutMs: toolTimeoutMs, signal: place.signal });
  if (result.kind === 'failed') return { fault: result.reason };
  if (!isAudible(result.output, minSeconds)) return { fault: 'it is silent or too short' };
  await cache.write(key, result.output, 0).catch(() => {});
  return { samples: result.output };
}

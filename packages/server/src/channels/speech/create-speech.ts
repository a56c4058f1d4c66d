import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Prompt } from '@tocsin/domain';
import type { Logger } from 'pino';
import { beeps } from './beeps.ts';
import { convertRecording } from './convert-recording.ts';
import type { SpeakingPlace } from './speak-text.ts';
import { createSpeaker, type Speaker } from './speaker.ts';
import type { Rendered, RenderOptions, Speech, SpeechSettings } from './speech.ts';
import { createSpeechCache, type SpeechCache } from './speech-cache.ts';
import { bytesPerSecond } from './wav.ts';

const pauseSeconds = 0.3;

type ReadMedia = RenderOptions['readMedia'];

type Parts = {
  readonly speaker: Speaker;
  readonly cache: SpeechCache;
  readonly place: SpeakingPlace;
  readonly log: Logger;
};

/** Wall-clock time, for the ages of files. */
const wallClock = () => performance.timeOrigin + performance.now();

export function createSpeech(settings: SpeechSettings, log: Logger, nowMs: () => number = wallClock): Speech {
  const { preferences, maxCacheBytes } = settings;
  // A program that plays a file has another working folder.
  const directory = resolve(settings.directory);
  const lifetime = new AbortController();
  const cache = createSpeechCache({ directory, maxBytes: maxCacheBytes, nowMs });
  const workFolder = temporaryFolder();
  const place = { workFolder: workFolder.open, signal: lifetime.signal };
  const speaker = createSpeaker({ preferences, cache, place, log, nowMs });
  const parts: Parts = { speaker, cache, place, log };
  const rendering = new Set<Promise<unknown>>();

  const storeElsewhere = async (samples: Buffer, tailSeconds: number) => {
    const spare = { directory: await workFolder.open(), maxBytes: maxCacheBytes, nowMs };
    return await store(createSpeechCache(spare), samples, tailSeconds);
  };
  const write = async (samples: Buffer, tailSeconds: number): Promise<string> => {
    try {
      return await store(cache, samples, tailSeconds);
    } catch (error) {
      log.error(
        error,
        'the folder for speech cannot be written, and a temporary one is used: check SPEECH_DIRECTORY',
      );
      return await storeElsewhere(samples, tailSeconds).catch(() => '');
    }
  };

  return {
    async render(prompts, language, { tailSeconds, readMedia, signal }) {
      const render = (prompt: Prompt) =>
        samplesOf(prompt, { language, readMedia, parts }).catch((error: unknown) => {
          log.error(error, 'a prompt could not be rendered');
          return undefined;
        });
      const work = Promise.all(prompts.map(render));
      rendering.add(work);
      const spoken = await orAborted(
        work.finally(() => rendering.delete(work)),
        signal,
      );
      const samples = joinSamples(spoken ?? []);
      const file = await write(samples, tailSeconds);
      return { file, seconds: samples.length / bytesPerSecond } satisfies Rendered;
    },
    async check() {
      const { speaks, faults } = await speaker.probe();
      return speaks
        ? { works: true }
        : { works: false, reason: `nothing can be spoken: ${faults.join('; ')}` };
    },
    async close() {
      lifetime.abort();
      await Promise.allSettled(rendering);
      await workFolder.remove();
    },
  };
}

/** A private folder for the output of programs, and for all files if the configured folder cannot be written. */
function temporaryFolder(): { open(): Promise<string>; remove(): Promise<void> } {
  let folder: Promise<string> | undefined;
  return {
    open: () => (folder ??= mkdtemp(join(tmpdir(), 'tocsin-speech-'))),
    async remove() {
      const path = await folder?.catch(() => undefined);
      if (path !== undefined) await rm(path, { recursive: true, force: true });
    },
  };
}

async function samplesOf(
  prompt: Prompt,
  { language, readMedia, parts }: { language: string; readMedia: ReadMedia; parts: Parts },
): Promise<Buffer | undefined> {
  const { speaker, log, ...conversion } = parts;
  if (prompt.kind === 'audio') {
    const result = await recordingOf(prompt.name, readMedia, conversion);
    if ('samples' in result) return result.samples;
    log.warn({ recording: prompt.name, reason: result.fault }, 'a recording is replaced by its text');
  }
  const samples = await speaker.speak(prompt.text, language);
  if (samples === undefined)
    log.error('a prompt was replaced by beeps, because no program speaks: install espeak-ng and sox');
  return samples;
}

async function recordingOf(
  name: string,
  readMedia: ReadMedia,
  conversion: Pick<Parts, 'cache' | 'place'>,
): ReturnType<typeof convertRecording> {
  try {
    const media = await readMedia(name);
    return media ? await convertRecording(media, conversion) : { fault: 'there is no such file' };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** Undefined if the signal is aborted first. The work goes on, and fills the cache. */
function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const onAbort = () => resolve(undefined);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

/** Prompts with short pauses. Those that could not be spoken, and a text without words, become beeps. */
function joinSamples(spoken: readonly (Buffer | undefined)[]): Buffer {
  const pause = Buffer.alloc(pauseSeconds * bytesPerSecond);
  const isSilent = spoken.every((samples) => samples !== undefined && samples.length === 0);
  const parts = isSilent ? [undefined] : spoken.filter((samples) => samples?.length !== 0);
  // A menu that cannot be spoken is one series of beeps, not one for each of its sentences.
  const distinct = parts.filter((samples, place) => samples !== undefined || place === 0 || parts[place - 1]);
  return Buffer.concat(distinct.flatMap((samples) => [samples ?? beeps(), pause]));
}

async function store(cache: SpeechCache, samples: Buffer, tailSeconds: number): Promise<string> {
  const key = createHash('sha256').update(`with ${tailSeconds} s after it`).update(samples).digest('hex');
  return (await cache.find(key)) ?? (await cache.write(key, samples, tailSeconds));
}

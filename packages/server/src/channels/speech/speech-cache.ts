import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesPerSecond, findWavFault, playableSamples, wavHeader } from './wav.ts';

export type SpeechCache = {
  /** The samples that were written under a key; undefined if there are none, or the file is damaged. */
  read(key: string): Promise<Buffer | undefined>;
  /** The file of a key, if it can be played. */
  find(key: string): Promise<string | undefined>;
  /** Writes samples and a silence after them, and returns the file. Several processes may write the same key. */
  write(key: string, samples: Buffer, tailSeconds: number): Promise<string>;
};

export type CacheSettings = {
  readonly directory: string;
  readonly maxBytes: number;
  readonly nowMs: () => number;
};

/** A call may still play a file that was used this recently. */
const keptMs = 600_000;
const bytesPerBlock = 512;

/** A folder of WAV files, of which the least recently used are deleted. */
export function createSpeechCache({ directory, maxBytes, nowMs }: CacheSettings): SpeechCache {
  const fileOf = (key: string) => join(directory, `${key}.wav`);
  let cleaning: Promise<void> | undefined;
  const clean = () => {
    cleaning ??= deleteOld(directory, maxBytes, nowMs()).finally(() => {
      cleaning = undefined;
    });
    return cleaning;
  };
  const touch = (file: string) => utimes(file, nowMs() / 1_000, nowMs() / 1_000).catch(() => {});
  return {
    async read(key) {
      const content = await readFile(fileOf(key)).catch(() => undefined);
      const samples = content && playableSamples(content);
      if (samples === undefined || samples.length === 0) return undefined;
      await touch(fileOf(key));
      return samples;
    },
    async find(key) {
      const file = fileOf(key);
      if ((await findWavFault(file)) !== undefined) return undefined;
      await touch(file);
      return file;
    },
    async write(key, samples, tailSeconds) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeWhole(fileOf(key), samples, tailSeconds);
      await touch(fileOf(key));
      await clean().catch(() => {});
      return fileOf(key);
    },
  };
}

/** The file gets its name when it is complete, so that nobody reads a part of it. */
async function writeWhole(file: string, samples: Buffer, tailSeconds: number): Promise<void> {
  const temporary = `${file}.${randomUUID()}.part`;
  const tailBytes = Math.round(tailSeconds * bytesPerSecond) & ~1;
  try {
    await using handle = await open(temporary, 'wx', 0o600);
    await handle.writeFile(Buffer.concat([wavHeader(samples.length + tailBytes), samples]));
    // Silence is zeros: a hole in the file takes no space.
    await handle.truncate(44 + samples.length + tailBytes);
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function deleteOld(directory: string, maxBytes: number, now: number): Promise<void> {
  const names = await readdir(directory);
  const found = await Promise.all(
    names.map(async (name) => {
      const file = join(directory, name);
      const status = await stat(file).catch(() => undefined);
      return status?.isFile() ? [{ file, usedAt: status.mtimeMs, bytes: status.blocks * bytesPerBlock }] : [];
    }),
  );
  const files = found.flat().toSorted((one, other) => one.usedAt - other.usedAt);
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { file, usedAt, bytes } of files) {
    // Temporary files of a process that was killed are old, too.
    const isLeftOver = file.endsWith('.part');
    if (now - usedAt < keptMs || (total <= maxBytes && !isLeftOver)) continue;
    await rm(file, { force: true });
    total -= bytes;
  }
}

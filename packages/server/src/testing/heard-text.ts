import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createSpeech } from '../channels/speech/create-speech.ts';
import { espeak } from '../channels/speech/speech-profiles.ts';
import { correlation } from '../channels/speech/testing/correlation.fixture.ts';

/** How much of a text, spoken as the server speaks it, is in a recording: above 0.9 it was said. */
export async function correlationWith(text: string, recording: string, language = 'en'): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'tocsin-heard-'));
  const preferences = [{ profile: espeak }];
  const speech = createSpeech(
    { preferences, directory, maxCacheBytes: 10_000_000 },
    pino({ level: 'silent' }),
  );
  try {
    const { file } = await speech.render([{ kind: 'text', text }], language, {
      tailSeconds: 0,
      readMedia: async () => undefined,
      signal: AbortSignal.timeout(10_000),
    });
    return await correlation(file, recording);
  } finally {
    await speech.close();
    await rm(directory, { recursive: true, force: true });
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { MediaContent } from '../port/channel.ts';
import { correlation } from './testing/correlation.fixture.ts';
import { audio, newFolder, runSox, speakingPlant, text } from './testing/speech.fixture.ts';
import { findWavFault } from './wav.ts';

/** All tests speak the same texts. */
const folder = mkdtempSync(join(tmpdir(), 'tocsin-speech-'));
afterAll(() => rmSync(folder, { recursive: true }));

const recorded = text('Pump 3 in the north hall has failed. Bring a torch.');
const spoken = 'The text that belongs to the recording of the pump.';

/** A recording of the library, made from the same words in another format. */
async function recording(contentType: string, ending: string, ...format: string[]): Promise<MediaContent> {
  const { file } = await speakingPlant({ folder }).say([recorded]);
  const target = join(newFolder(), `recording.${ending}`);
  await runSox(file, ...format, target);
  return { contentType, content: await readFile(target) };
}

async function play(media: MediaContent | undefined) {
  const plant = speakingPlant({ folder });
  const [original, replacement] = [await plant.say([recorded]), await plant.say([text(spoken)])];
  const played = await plant.say([audio('pump', spoken)], 'en', media ? { pump: media } : {});
  expect(await findWavFault(played.file)).toBeUndefined();
  return {
    recording: await correlation(original.file, played.file),
    text: await correlation(replacement.file, played.file),
    log: plant.log.join(),
  };
}

test.for([
  ['as it is', 'audio/wav', 'wav'],
  ['in stereo', 'audio/wav', 'wav', '-c', '2'],
  ['with 22,050 samples per second', 'audio/wav', 'wav', '-r', '22050'],
  [
    'with 44,100 samples per second in stereo of 24 bits',
    'audio/wav',
    'wav',
    '-r',
    '44100',
    '-c',
    '2',
    '-b',
    '24',
  ],
  ['in A-law', 'audio/wav', 'wav', '-e', 'a-law'],
  ['with 8 bits', 'audio/wav', 'wav', '-b', '8'],
  ['as Ogg Vorbis', 'audio/ogg', 'ogg'],
])('a recording is played %s', async ([, type = '', ending = '', ...format]) => {
  const played = await play(await recording(type, ending, ...format));
  expect(played.recording).toBeGreaterThan(0.9);
  expect(played.text).toBeLessThan(0.3);
});

test.for([
  ['is missing', undefined],
  ['is junk', { contentType: 'audio/wav', content: Buffer.alloc(5_000, 'junk') }],
  ['is empty', { contentType: 'audio/wav', content: Buffer.alloc(0) }],
  ['is a document', { contentType: 'application/pdf', content: Buffer.from('%PDF-1.7') }],
  ['is a damaged MP3', { contentType: 'audio/mpeg', content: Buffer.alloc(5_000, 0xff) }],
] as const)('a recording that %s is replaced by the spoken text', async ([, media]) => {
  const played = await play(media);
  expect(played.text).toBeGreaterThan(0.9);
  expect(played.log).toContain('a recording is replaced by its text');
});

test.for([
  ['is cut in its header', (whole: Buffer) => whole.subarray(0, 30)],
  ['lasts a tenth of a second', (whole: Buffer) => whole.subarray(0, 44 + 1_600)],
  ['is silent', (whole: Buffer) => Buffer.concat([whole.subarray(0, 44), Buffer.alloc(whole.length - 44)])],
] as const)('a recording that %s is replaced by the spoken text', async ([, damage]) => {
  const { contentType, content } = await recording('audio/wav', 'wav');
  const played = await play({ contentType, content: damage(content) });
  expect(played.text).toBeGreaterThan(0.9);
});

test('a recording that is cut at its end is played as far as it goes', async () => {
  const { contentType, content } = await recording('audio/wav', 'wav');
  const played = await play({ contentType, content: content.subarray(0, content.length * 0.8) });
  expect(played.recording).toBeGreaterThan(0.8);
});

test('a library that cannot be read costs the recording, not the call', async () => {
  const { speech } = speakingPlant({ folder });
  const { file } = await speech.render([audio('pump', spoken)], 'en', {
    tailSeconds: 1,
    readMedia: () => Promise.reject(new Error('the database is away')),
    signal: AbortSignal.timeout(20_000),
  });
  expect(await correlation((await speakingPlant({ folder }).say([text(spoken)])).file, file)).toBeGreaterThan(
    0.9,
  );
});

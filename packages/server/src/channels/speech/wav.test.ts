import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beeps } from './beeps.ts';
import { newFolder, runSox } from './testing/speech.fixture.ts';
import { findWavFault, playableSamples, wavHeader } from './wav.ts';

const sound = beeps();
const wav = Buffer.concat([wavHeader(sound.length), sound]);

function fileWith(content: Buffer): string {
  const file = join(newFolder(), 'sound.wav');
  writeFileSync(file, content);
  return file;
}

test('a file for a telephone line is playable, and so says sox', async () => {
  const file = fileWith(wav);
  expect(await findWavFault(file)).toBeUndefined();
  const copy = join(newFolder(), 'copy.wav');
  await runSox(file, copy);
  expect(await findWavFault(copy)).toBeUndefined();
});

test.for([
  ['in stereo', ['-c', '2'], 'it has 2 channels, not one'],
  ['with 22,050 samples per second', ['-r', '22050'], 'it has 22050 samples per second, not 8000'],
  ['with 8 bits', ['-b', '8'], 'its samples have 8 bits, not 16'],
  ['in A-law', ['-e', 'a-law'], 'its format is 6, not PCM'],
] as const)('a file %s would drop the call, and is refused', async ([, format, reason]) => {
  const file = join(newFolder(), 'odd.wav');
  await runSox(fileWith(wav), ...format, file);
  expect(await findWavFault(file)).toBe(reason);
});

test('a file that is missing, junk, too short, or shorter than its header says is refused', async () => {
  expect(await findWavFault('')).toContain('ENOENT');
  expect(await findWavFault(fileWith(Buffer.alloc(9_000, 'junk')))).toBe('it is not a WAV file');
  expect(await findWavFault(fileWith(Buffer.alloc(0)))).toBe('it is not a WAV file');
  expect(await findWavFault(fileWith(wav.subarray(0, 44 + 4_000)))).toBe('it lasts only 0.25 s');
});

test('samples are found behind other chunks, and a chunk that claims too much ends the search', () => {
  const list = Buffer.from('LIST\x05\0\0\0abcde\0', 'latin1');
  const withList = Buffer.concat([wav.subarray(0, 36), list, wav.subarray(36)]);
  expect(playableSamples(withList)?.equals(sound)).toBe(true);
  const endless = Buffer.concat([
    wav.subarray(0, 36),
    Buffer.from('LIST\xff\xff\xff\xff', 'latin1'),
    wav.subarray(36),
  ]);
  expect(playableSamples(endless)).toBeUndefined();
});

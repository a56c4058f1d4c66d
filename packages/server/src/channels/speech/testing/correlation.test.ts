import { join } from 'node:path';
import { expect, test } from 'vitest';
import { correlation } from './correlation.fixture.ts';
import { newFolder, runSox, speakingPlant, text } from './speech.fixture.ts';

test('a prompt is recognised after a telephone line, and is not taken for another one', async () => {
  const { say } = speakingPlant();
  const [pump, boiler] = await Promise.all([
    say([text('Pump 3 in the north hall has failed. The basin overflows in 20 minutes.')]),
    say([text('The pressure of boiler 2 is too high. Leave the building now.')]),
  ]);
  const folder = newFolder();
  const coded = join(folder, 'coded.wav');
  const heard = join(folder, 'heard.wav');
  await runSox(pump.file, '-e', 'a-law', coded);
  // The other end began to record a moment before, and is not as loud.
  await runSox(coded, '-b', '16', '-e', 'signed-integer', heard, 'pad', '0.73', 'vol', '0.6');
  expect(await correlation(pump.file, heard)).toBeGreaterThan(0.9);
  expect(await correlation(boiler.file, heard)).toBeLessThan(0.3);
  expect(await correlation(pump.file, pump.file)).toBeCloseTo(1, 3);
});

test('half of a prompt is not the whole prompt', async () => {
  const { say } = speakingPlant();
  const whole = await say([text('Pump 3 in the north hall has failed. The basin overflows in 20 minutes.')]);
  const half = join(newFolder(), 'half.wav');
  await runSox(whole.file, half, 'trim', '0', String(whole.seconds / 2));
  expect(await correlation(whole.file, half)).toBeLessThan(0.9);
});

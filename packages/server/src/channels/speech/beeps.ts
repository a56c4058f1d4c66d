import { bytesPerSecond, sampleRate } from './wav.ts';

const toneHertz = 880;
const beepSeconds = 0.4;
const pauseSeconds = 0.2;
const beepCount = 6;

/** Played if nothing can be spoken: a person still notices that Tocsin calls. */
export function beeps(): Buffer {
  const tone = Buffer.alloc(beepSeconds * bytesPerSecond);
  for (let sample = 0; sample < tone.length / 2; sample++) {
    const angle = (2 * Math.PI * toneHertz * sample) / sampleRate;
    tone.writeInt16LE(Math.round(12_000 * Math.sin(angle)), sample * 2);
  }
  const pause = Buffer.alloc(pauseSeconds * bytesPerSecond);
  return Buffer.concat(Array.from({ length: beepCount }, () => [tone, pause]).flat());
}

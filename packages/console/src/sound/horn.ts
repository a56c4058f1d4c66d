import type { ConsoleSound } from '@tocsin/contract';

type Rhythm = Exclude<ConsoleSound['sound'], 'none' | 'file'>;
type Beep = { readonly at: number; readonly seconds: number; readonly hertz: number };

/** Rhythms differ, not only pitches, so that priorities are told apart by ear. */
const rhythms: Record<Rhythm, readonly Beep[]> = {
  triple: [0, 0.18, 0.36, 0.54, 0.72, 0.9].map((at, index) => ({
    at,
    seconds: 0.14,
    hertz: index % 2 === 0 ? 880 : 660,
  })),
  double: [0, 0.3, 0.6].map((at) => ({ at, seconds: 0.2, hertz: 740 })),
  single: [0, 0.45].map((at) => ({ at, seconds: 0.25, hertz: 587 })),
  chime: [{ at: 0, seconds: 0.35, hertz: 440 }],
};

/** Plays a rhythm once. The volume is from 0 to 1. */
export function playRhythm(audio: AudioContext, rhythm: Rhythm, volume: number): void {
  for (const { at, seconds, hertz } of rhythms[rhythm]) {
    const start = audio.currentTime + at;
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(volume, start + 0.01);
    gain.gain.setValueAtTime(volume, start + seconds - 0.02);
    gain.gain.linearRampToValueAtTime(0, start + seconds);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + seconds);
  }
}

/** Plays a recording once. */
export function playRecording(audio: AudioContext, recording: AudioBuffer, volume: number): void {
  const source = audio.createBufferSource();
  const gain = audio.createGain();
  source.buffer = recording;
  gain.gain.value = volume;
  source.connect(gain).connect(audio.destination);
  source.start();
}

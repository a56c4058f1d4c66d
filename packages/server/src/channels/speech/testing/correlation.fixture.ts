import { readFile } from 'node:fs/promises';
import { playableSamples } from '../wav.ts';

/**
 * How much of one recording is found in another one: the largest normalised cross-correlation over all delays. Above 0.9
 * the same was said, below 0.3 something else. Both are mono WAVs with 8,000 samples of 16 bits per second.
 */
export async function correlation(spokenFile: string, heardFile: string): Promise<number> {
  const spoken = trimSilence(await samplesIn(spokenFile));
  const heard = await samplesIn(heardFile);
  return bestMatch(spoken, heard);
}

async function samplesIn(file: string): Promise<Float64Array> {
  const samples = playableSamples(await readFile(file));
  if (samples === undefined) throw new Error(`${file} is not a mono WAV of 8 kHz and 16 bits`);
  return Float64Array.from(
    { length: samples.length / 2 },
    (_, place) => samples.readInt16LE(place * 2) / 32_768,
  );
}

function trimSilence(samples: Float64Array): Float64Array {
  const isLoud = (sample: number) => Math.abs(sample) > 0.005;
  return samples.subarray(samples.findIndex(isLoud), samples.findLastIndex(isLoud) + 1);
}

/** Slides `part` along `whole`; the sums of products at all delays are a convolution, made by Fourier transforms. */
function bestMatch(part: Float64Array, whole: Float64Array): number {
  if (part.length === 0 || whole.length === 0) return 0;
  const size = 2 ** Math.ceil(Math.log2(part.length + whole.length));
  const one = transform(part, size);
  const other = transform(whole, size);
  const product = { re: new Float64Array(size), im: new Float64Array(size) };
  for (let at = 0; at < size; at++) {
    const a = one.re[at] ?? 0;
    const b = one.im[at] ?? 0;
    const c = other.re[at] ?? 0;
    const d = other.im[at] ?? 0;
    // The conjugate of the product, so that transforming forward once more transforms it back.
    product.re[at] = a * c + b * d;
    product.im[at] = -(a * d - b * c);
  }
  fourier(product);
  const energy = Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0));
  const energies = windowEnergies(whole, part.length);
  return energies.reduce((best, window, delay) => {
    const sum = (product.re[delay] ?? 0) / size;
    return window > 1e-6 ? Math.max(best, sum / (energy * window)) : best;
  }, 0);
}

/** The energy of each window of the given length; a window may reach beyond the end. */
function windowEnergies(samples: Float64Array, length: number): Float64Array {
  const sums = new Float64Array(samples.length + 1);
  for (const [place, sample] of samples.entries()) sums[place + 1] = (sums[place] ?? 0) + sample * sample;
  const total = sums[samples.length] ?? 0;
  // Small windows at the end would match by chance.
  const least = total * 0.05;
  return Float64Array.from({ length: samples.length }, (_, start) => {
    const window = (sums[Math.min(start + length, samples.length)] ?? 0) - (sums[start] ?? 0);
    return window > least ? Math.sqrt(window) : 0;
  });
}

type Complex = { readonly re: Float64Array; readonly im: Float64Array };

function transform(samples: Float64Array, size: number): Complex {
  const values = { re: new Float64Array(size), im: new Float64Array(size) };
  values.re.set(samples);
  fourier(values);
  return values;
}

/** The fast Fourier transform in place, for a length that is a power of two. */
function fourier({ re, im }: Complex): void {
  reverseBits(re, im);
  for (let half = 1; half < re.length; half *= 2) {
    for (let offset = 0; offset < half; offset++) {
      const angle = (-Math.PI * offset) / half;
      combine({ re, im }, { half, offset, cos: Math.cos(angle), sin: Math.sin(angle) });
    }
  }
}

type Butterfly = {
  readonly half: number;
  readonly offset: number;
  readonly cos: number;
  readonly sin: number;
};

/** Written without tuples, because this runs millions of times. */
function combine({ re, im }: Complex, { half, offset, cos, sin }: Butterfly): void {
  for (let low = offset; low < re.length; low += 2 * half) {
    const high = low + half;
    const x = re[high] ?? 0;
    const y = im[high] ?? 0;
    const u = x * cos - y * sin;
    const v = x * sin + y * cos;
    const p = re[low] ?? 0;
    const q = im[low] ?? 0;
    re[low] = p + u;
    im[low] = q + v;
    re[high] = p - u;
    im[high] = q - v;
  }
}

function reverseBits(re: Float64Array, im: Float64Array): void {
  for (let at = 1, reversed = 0; at < re.length; at++) {
    let bit = re.length >> 1;
    for (; reversed & bit; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (at < reversed) for (const values of [re, im]) swap(values, at, reversed);
  }
}

function swap(values: Float64Array, one: number, other: number): void {
  const kept = values[one] ?? 0;
  values[one] = values[other] ?? 0;
  values[other] = kept;
}

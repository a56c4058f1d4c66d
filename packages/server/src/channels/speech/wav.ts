import { open } from 'node:fs/promises';

/** The only format that is played on a telephone line here. */
export const sampleRate = 8_000;
export const bytesPerSecond = sampleRate * 2;
const headerBytes = 44;
/** A shorter file would end before anybody hears it. */
const minSeconds = 0.5;

type WavHeader = {
  readonly format: number;
  readonly channels: number;
  readonly rate: number;
  readonly bits: number;
  readonly dataStart: number;
  /** As the header claims; the file may be shorter. */
  readonly dataBytes: number;
};

/** Reads the chunks of a RIFF file; undefined if it is none, or is cut before its samples. */
export function readWavHeader(content: Buffer): WavHeader | undefined {
  if (content.length < headerBytes || content.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (content.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let format: Omit<WavHeader, 'dataStart' | 'dataBytes'> | undefined;
  for (let at = 12; at + 8 <= content.length; ) {
    const name = content.toString('latin1', at, at + 4);
    const size = content.readUInt32LE(at + 4);
    if (name === 'fmt ' && size >= 16 && at + 24 <= content.length) {
      format = {
        format: content.readUInt16LE(at + 8),
        channels: content.readUInt16LE(at + 10),
        rate: content.readUInt32LE(at + 12),
        bits: content.readUInt16LE(at + 22),
      };
    }
    if (name === 'data') return format && { ...format, dataStart: at + 8, dataBytes: size };
    // Chunks begin at even positions.
    at += 8 + size + (size % 2);
  }
  return undefined;
}

/** The samples of a WAV that can be played as it is; undefined if it must be converted, or is junk. */
export function playableSamples(content: Buffer): Buffer | undefined {
  const header = readWavHeader(content);
  if (header === undefined || formatFault(header) !== undefined) return undefined;
  const { dataStart, dataBytes } = header;
  const end = Math.min(content.length, dataStart + dataBytes);
  return content.subarray(dataStart, end - ((end - dataStart) % 2));
}

function formatFault({ format, channels, rate, bits }: WavHeader): string | undefined {
  if (format !== 1) return `its format is ${format}, not PCM`;
  if (channels !== 1) return `it has ${channels} channels, not one`;
  if (rate !== sampleRate) return `it has ${rate} samples per second, not ${sampleRate}`;
  return bits === 16 ? undefined : `its samples have ${bits} bits, not 16`;
}

/**
 * Why a file cannot be played to a person; undefined if it can. baresip accepts any name, and drops the call when it is
 * answered, so a file is checked before a number is dialled.
 */
export async function findWavFault(file: string): Promise<string | undefined> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4_096), 0, 4_096, 0);
    const header = readWavHeader(buffer.subarray(0, bytesRead));
    if (header === undefined) return 'it is not a WAV file';
    const seconds = Math.min(header.dataBytes, size - header.dataStart) / bytesPerSecond;
    return formatFault(header) ?? (seconds > minSeconds ? undefined : `it lasts only ${seconds} s`);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export function wavHeader(dataBytes: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(headerBytes - 8 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(bytesPerSecond, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}

/** Whether a person would hear anything: the samples last a moment, and are not all silent. */
export function isAudible(samples: Buffer, seconds: number): boolean {
  const loudEnough = 500;
  if (samples.length < seconds * bytesPerSecond) return false;
  for (let at = 0; at + 1 < samples.length; at += 2) {
    if (Math.abs(samples.readInt16LE(at)) >= loudEnough) return true;
  }
  return false;
}

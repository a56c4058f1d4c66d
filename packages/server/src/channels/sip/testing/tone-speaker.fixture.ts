import { createHash } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Prompt } from '@tocsin/domain';
import type { Speaker } from '../../port/telephony.ts';

const rate = 8_000;
const toneSeconds = 0.06;

/** Says each text as its own short melody, so that tests of calls are quick and a recording shows what was said. */
export async function createToneSpeaker(): Promise<
  Speaker & { said: string[]; fileOf(text: string): string }
> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-tones-'));
  const said: string[] = [];
  const nameOf = (text: string) => join(folder, `${createHash('sha1').update(text).digest('hex')}.wav`);
  return {
    said,
    fileOf: nameOf,
    render: async (prompts: readonly Prompt[], _language, { tailSeconds }) => {
      const text = prompts.map((prompt) => prompt.text).join(' ');
      const melody = melodyOf(text);
      await writeFile(nameOf(text), wav(melody, tailSeconds));
      said.push(text);
      return { file: nameOf(text), seconds: melody.length / rate };
    },
  };
}

function melodyOf(text: string): Int16Array {
  const notes = [...createHash('sha1').update(text).digest()].slice(0, 12);
  const length = Math.round(toneSeconds * rate);
  const samples = new Int16Array(notes.length * length);
  notes.forEach((note, place) => {
    for (let at = 0; at < length; at += 1)
      samples[place * length + at] = 12_000 * Math.sin((2 * Math.PI * (300 + note * 10) * at) / rate);
  });
  return samples;
}

function wav(samples: Int16Array, tailSeconds: number): Buffer {
  const bytes = samples.byteLength + tailSeconds * rate * 2;
  const file = Buffer.alloc(44 + bytes);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + bytes, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(bytes, 40);
  Buffer.from(samples.buffer).copy(file, 44);
  return file;
}

import { runTool, type ToolResult } from './run-tool.ts';
import { bytesPerSecond, readWavHeader, sampleRate } from './wav.ts';

/** No prompt may keep a line busy for longer. */
const maxSeconds = 120;

export type Conversion = {
  readonly content: Buffer;
  /** A name that sox knows. */
  readonly type: 'wav' | 'ogg' | 'mp3';
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/** Converts audio to the samples of a telephone line: mono, 8 kHz, 16 bits. */
export async function convertAudio({ content, type, ...run }: Conversion): Promise<ToolResult> {
  const raw = [
    '-t',
    'raw',
    '-r',
    String(sampleRate),
    '-c',
    '1',
    '-b',
    '16',
    '-e',
    'signed-integer',
    '-L',
    '-',
  ];
  const input = [...(hasWrongLength(content) ? ['--ignore-length'] : []), '-t', type, '-'];
  // Without dither, which is random, the same audio always has the same samples.
  const argv = ['sox', '-V1', '-D', ...input, ...raw, 'trim', '0', String(maxSeconds)];
  const result = await runTool({ ...run, argv, input: content });
  if (result.kind === 'failed') return { ...result, reason: `sox: ${result.reason}` };
  const { output } = result;
  return { kind: 'done', output: output.subarray(0, Math.min(output.length, maxSeconds * bytesPerSecond)) };
}

/** espeak-ng writes to a pipe, where it cannot correct the length in its header. */
function hasWrongLength(content: Buffer): boolean {
  const header = readWavHeader(content);
  if (header === undefined) return false;
  return header.dataBytes === 0 || header.dataStart + header.dataBytes > content.length;
}

import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { convertAudio } from './convert-audio.ts';
import { runTool, type ToolResult } from './run-tool.ts';
import type { SpeechProfile } from './speech-profiles.ts';
import { isAudible, playableSamples } from './wav.ts';

/** One text for one program. */
export type Utterance = {
  readonly profile: SpeechProfile;
  readonly language: string;
  readonly voice: string;
  readonly text: string;
};

/** Where programs run: in a private folder, until the signal is aborted. */
export type SpeakingPlace = { readonly workFolder: () => Promise<string>; readonly signal: AbortSignal };

export const toolTimeoutMs = 5_000;
const maxFileBytes = 16_000_000;
/** Even one word lasts longer. */
const minSeconds = 0.1;

/** Names an utterance by everything that decides about its sound. */
export function utteranceKey({ profile, language, voice, text }: Utterance): string {
  return createHash('sha256')
    .update(JSON.stringify([profile.argv, profile.textAs ?? 'stdin', language, voice, text]))
    .digest('hex');
}

/** Lets a program speak a text, and converts the result to the samples of a telephone line. */
export async function speakText(utterance: Utterance, place: SpeakingPlace): Promise<ToolResult> {
  const spoken = await runProgram(utterance, place);
  if (spoken.kind === 'failed') return spoken;
  const ready = playableSamples(spoken.output);
  const result: ToolResult =
    ready === undefined
      ? await convertAudio({
          content: spoken.output,
          type: 'wav',
          cwd: await place.workFolder(),
          timeoutMs: toolTimeoutMs,
          signal: place.signal,
        })
      : { kind: 'done', output: ready };
  if (result.kind === 'failed' || isAudible(result.output, minSeconds)) return result;
  return { kind: 'failed', reason: 'it spoke nothing', isMissing: false };
}

async function runProgram(utterance: Utterance, { workFolder, signal }: SpeakingPlace): Promise<ToolResult> {
  const { profile, text } = utterance;
  const cwd = await workFolder();
  const file = join(cwd, `${randomUUID()}.wav`);
  const argv = fillArguments(utterance, file);
  const isArgument = profile.textAs === 'argument';
  // A text that begins with a hyphen would be an option of the program.
  const argument = argv.at(-1) === '--' ? text : text.replace(/^-/, ' -');
  try {
    const result = await runTool({
      argv: isArgument ? [...argv, argument] : argv,
      // Piper speaks a line when it is complete.
      input: isArgument ? Buffer.alloc(0) : Buffer.from(`${text}\n`),
      cwd,
      timeoutMs: toolTimeoutMs,
      signal,
    });
    const writesFile = profile.argv.some((argument) => argument.includes('{output}'));
    return result.kind === 'done' && writesFile ? await readOutput(file) : result;
  } finally {
    await rm(file, { force: true });
  }
}

function fillArguments({ profile, language, voice }: Utterance, output: string): string[] {
  const values: Record<string, string> = { language, voice, output };
  return profile.argv.map((argument) =>
    argument.replace(/\{(language|voice|output)\}/g, (whole, name: string) => values[name] ?? whole),
  );
}

async function readOutput(file: string): Promise<ToolResult> {
  const status = await stat(file).catch(() => undefined);
  if (status === undefined) return { kind: 'failed', reason: 'it wrote no file', isMissing: false };
  if (status.size > maxFileBytes) return { kind: 'failed', reason: 'it wrote too much', isMissing: false };
  return { kind: 'done', output: await readFile(file) };
}

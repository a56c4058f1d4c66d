import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Prompt } from '@tocsin/domain';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { MediaContent } from '../../port/channel.ts';
import { createSpeech } from '../create-speech.ts';
import type { Rendered, Speech, SpeechPreference } from '../speech.ts';
import { espeak, type SpeechProfile } from '../speech-profiles.ts';

export const text = (words: string): Prompt => ({ kind: 'text', text: words });
export const audio = (name: string, words: string): Prompt => ({ kind: 'audio', name, text: words });

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-speech-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export type SpokenPlant = {
  readonly speech: Speech;
  readonly folder: string;
  /** The log lines, as JSON. */
  readonly log: readonly string[];
  say(prompts: readonly Prompt[], language?: string, media?: Record<string, MediaContent>): Promise<Rendered>;
};

/** Speech by real programs in a folder of its own. */
export function speakingPlant({
  profiles = [espeak],
  preferences = profiles.map((profile) => ({ profile })),
  folder = newFolder(),
  maxCacheBytes = 50_000_000,
  nowMs,
}: {
  profiles?: readonly SpeechProfile[];
  preferences?: readonly SpeechPreference[];
  folder?: string;
  maxCacheBytes?: number;
  nowMs?: () => number;
} = {}): SpokenPlant {
  const log: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => log.push(line) });
  const speech = createSpeech({ preferences, directory: folder, maxCacheBytes }, logger, nowMs);
  onTestFinished(() => speech.close());
  const say: SpokenPlant['say'] = (prompts, language = 'en', media = {}) =>
    speech.render(prompts, language, {
      tailSeconds: 2,
      readMedia: async (name) => media[name],
      signal: AbortSignal.timeout(20_000),
    });
  return { speech, folder, log, say };
}

/** A program in the shell's language, as an operator might bring one. */
export function scriptProfile(
  name: string,
  script: string,
  more: Partial<SpeechProfile> = {},
): SpeechProfile {
  const file = join(newFolder(), name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return { name, argv: [file, '{voice}', '{output}'], voices: { en: 'a-voice' }, ...more };
}

/** Whether a process runs. One that has ended stays in the table until its parent reads its result. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
}

export const runSox = (...args: string[]) => promisify(execFile)('sox', ['-V1', ...args]);

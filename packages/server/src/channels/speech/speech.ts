import type { Prompt } from '@tocsin/domain';
import type { Health, MediaContent } from '../port/channel.ts';
import type { SpeechProfile } from './speech-profiles.ts';

/** A program in the order of preference. Without a language it is for all languages that it has voices for. */
export type SpeechPreference = { readonly profile: SpeechProfile; readonly language?: string | undefined };

export type SpeechSettings = {
  /** The preferred one first. espeak-ng follows the last one, if it is not among them. */
  readonly preferences: readonly SpeechPreference[];
  /** Folder of the cache, which is created if it is missing. */
  readonly directory: string;
  readonly maxCacheBytes: number;
};

export type RenderOptions = {
  /** Silence after the last prompt: baresip hangs up at the end of a file. */
  readonly tailSeconds: number;
  readonly readMedia: (name: string) => Promise<MediaContent | undefined>;
  readonly signal: AbortSignal;
};

/** A rendered file. `seconds` counts the prompts without the silence after them. */
export type Rendered = { readonly file: string; readonly seconds: number };

export type Speech = {
  /**
   * One mono 8 kHz 16-bit WAV with all prompts, followed by silence. Never rejects: falls back to the next program, and
   * at last to beeps. The file is kept for at least ten minutes. Its name is empty if the disk accepts nothing.
   */
  render(prompts: readonly Prompt[], language: string, options: RenderOptions): Promise<Rendered>;
  /** Whether at least one program speaks, and its output can be converted. */
  check(): Promise<Health>;
  /** Ends running programs. */
  close(): Promise<void>;
};

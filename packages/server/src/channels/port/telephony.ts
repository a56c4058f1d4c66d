import type { Prompt } from '@tocsin/domain';

/** What telephone calls need from the server besides a trunk. */
export type Telephony = {
  readonly speech: Speaker;
  /** Folder for the files of running calls. Nobody else may read it, because it holds passwords of trunks. */
  readonly directory: string;
  /** Ports of this machine for signalling and voice of calls. */
  readonly ports: { readonly first: number; readonly last: number };
};

export type Speaker = {
  /** Renders prompts as one WAV that ends with silence. `seconds` counts the prompts only. Never rejects. */
  render(
    prompts: readonly Prompt[],
    language: string,
    options: {
      readonly tailSeconds: number;
      readonly readMedia: (
        name: string,
      ) => Promise<{ readonly contentType: string; readonly content: Buffer } | undefined>;
      readonly signal: AbortSignal;
    },
  ): Promise<{ readonly file: string; readonly seconds: number }>;
};

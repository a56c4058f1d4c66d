import type { Output } from '../../command/command.ts';

/** Tells how far the start is: a line for each step with its time. */
export type Progress = {
  /** Runs a step. Its title is a sentence without an end; `done` may say more when it is known. */
  step<Result>(title: string, run: () => Promise<Result>, done?: (result: Result) => string): Promise<Result>;
};

type Surroundings = { readonly stdout: Output; now(): number };

const titleWidth = 64;
const clearLine = '\r\u001B[2K';

/** On a terminal the running step is shown too; elsewhere only those that are done. */
export function showProgress({ stdout, now }: Surroundings): Progress {
  return {
    step: async (title, run, done) => {
      const begin = now();
      if (stdout.isTTY) stdout.write(`  … ${title}`);
      try {
        const result = await run();
        const seconds = `${((now() - begin) / 1_000).toFixed(1)} s`;
        const line = `  ✔ ${(done?.(result) ?? title).padEnd(titleWidth)} ${seconds.padStart(6)}\n`;
        stdout.write(stdout.isTTY ? `${clearLine}${line}` : line);
        return result;
      } catch (error) {
        stdout.write(stdout.isTTY ? `${clearLine}  ✘ ${title}\n` : `  ✘ ${title}\n`);
        throw error;
      }
    },
  };
}

/** Says nothing, for programs. */
export const noProgress: Progress = { step: (_title, run) => run() };

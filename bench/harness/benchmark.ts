import type { Figure } from './figure.ts';

export type BenchContext = {
  /** Small and unjudged: only to see that the benchmark still runs. */
  readonly smoke: boolean;
  /** A size that was set on the command line, such as `--tenants=200`, or the usual one. */
  size(name: string, usual: number): number;
  /** Prints progress on standard error. */
  progress(text: string): void;
  /** Runs when the benchmark has ended, however it ended, latest first. */
  onCleanup(work: () => Promise<unknown>): void;
};

/** A benchmark, one file each. */
export type Benchmark = {
  readonly name: string;
  readonly title: string;
  /** The command that installs what it is measured against, when that is not there. */
  missing?(): string | undefined;
  run(context: BenchContext): Promise<Figure[]>;
};

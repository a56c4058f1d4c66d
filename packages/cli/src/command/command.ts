import type { ExitCode } from '../common/exit-codes.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The world outside the process, given so that tests can replace it. */
export type Surroundings = {
  readonly environment: Environment;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: NodeJS.WritableStream;
  /** The command that runs this program, for those that it starts. */
  readonly program: readonly string[];
  /** Milliseconds since 1970. */
  now(): number;
  /** From now on a request to end the program only aborts the signal. */
  untilStopped(): AbortSignal;
};

/** Standard input; a terminal can give single keys. */
export type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};

/** Standard output; a terminal has a size. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

export type Option = {
  readonly name: string;
  readonly short?: string;
  /** The placeholder of the value in the help; absent for a switch. */
  readonly value?: string;
  readonly help: string;
};

export type Values = Readonly<Record<string, string | boolean | undefined>>;

export type Invocation = {
  readonly values: Values;
  readonly positionals: readonly string[];
  readonly surroundings: Surroundings;
};

/** A command that talks to a server over HTTP, or brings its own. */
export type Command = {
  readonly name: string;
  readonly purpose: string;
  /** Arguments after the name. */
  readonly usage: string;
  /** More about it, in lines of the help. */
  readonly explanation?: readonly string[];
  readonly options: readonly Option[];
  /** Whether it needs no running server. */
  readonly isAlone?: boolean;
  /** Arguments after `tocsin`, each with its effect. */
  readonly examples: readonly { readonly command: string; readonly effect: string }[];
  run(invocation: Invocation): Promise<ExitCode>;
};

/** The text of an option with a value; undefined if it is absent. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

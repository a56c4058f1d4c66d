import type { ExitCode } from '../common/exit-codes.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The world outside the process, given so that tests can replace it. */
export type Surroundings = {
  readonly environment: Environment;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: Output;
  readonly stderr: NodeJS.WritableStream;
  /** Milliseconds since 1970. */
  now(): number;
  /** From now on a request to end the program only aborts the signal. */
  untilStopped(): AbortSignal;
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

/** A command that talks to a server over HTTP. */
export type Command = {
  readonly name: string;
  readonly purpose: string;
  /** Arguments after the name. */
  readonly usage: string;
  /** More about it, in lines of the help. */
  readonly explanation?: readonly string[];
  readonly options: readonly Option[];
  /** Arguments after `tocsin`, each with its effect. */
  readonly examples: readonly { readonly command: string; readonly effect: string }[];
  run(invocation: Invocation): Promise<ExitCode>;
};

/** The text of an option with a value; undefined if it is absent. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

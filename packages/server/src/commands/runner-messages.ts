import type { RunLimits } from './command-entry.ts';
import type { ParameterRule } from './parameter-fault.ts';
import type { GroupLeader } from './process-group.ts';

/** A program to run. `key` identifies the run between server and runner. */
export type Program = {
  readonly key: string;
  readonly argv: readonly string[];
  readonly rule: ParameterRule | undefined;
  readonly parameter: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** By default the server's own user. */
  readonly as: { readonly setpriv: string; readonly uid: number; readonly gid: number } | undefined;
  /** By default the limits of the server. */
  readonly within: { readonly prlimit: string; readonly limits: RunLimits } | undefined;
};

/** The outcome of a command run. */
export type RunOutcome = {
  readonly status: 'done' | 'failed' | 'timed-out' | 'stopped' | 'refused' | 'unknown';
  readonly reason: string;
  readonly exitCode: number | null;
  readonly signal: string;
  readonly output: string;
  readonly outputCut: boolean;
};

export type ToRunner =
  | { readonly kind: 'run'; readonly program: Program }
  | { readonly kind: 'stop'; readonly key: string }
  | { readonly kind: 'ping' };

export type FromRunner =
  | { readonly kind: 'started'; readonly key: string; readonly leader: GroupLeader }
  | { readonly kind: 'ended'; readonly key: string; readonly outcome: RunOutcome }
  | { readonly kind: 'pong' };

/** An outcome without exit code and output. */
export function bareOutcome(status: RunOutcome['status'], reason: string): RunOutcome {
  return { status, reason, exitCode: null, signal: '', output: '', outputCut: false };
}

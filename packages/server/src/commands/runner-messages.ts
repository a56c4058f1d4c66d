import type { RunLimits } from './command-entry.ts';
import type { ParameterRule } from './parameter-fault.ts';
import type { GroupLeader } from './process-group.ts';

/** A program to run, as the runner's process is told. `key` is the server's name for the run. */
export type Program = {
  readonly key: string;
  readonly argv: readonly string[];
  readonly rule: ParameterRule | undefined;
  readonly parameter: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Absent, it runs as the server's own user. */
  readonly as: { readonly setpriv: string; readonly uid: number; readonly gid: number } | undefined;
  /** Absent, it may use what the server may. */
  readonly within: { readonly prlimit: string; readonly limits: RunLimits } | undefined;
};

/** What became of a run. */
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

/** An outcome of which nothing is known but this. */
export function bareOutcome(status: RunOutcome['status'], reason: string): RunOutcome {
  return { status, reason, exitCode: null, signal: '', output: '', outputCut: false };
}

import type { Fault } from '../common/fault.ts';

export type Severity = 'ok' | 'warning' | 'error';

/** One result of a check. Names are stable, because scripts look for them; the part before the dot is the group. */
export type Finding = {
  readonly severity: Severity;
  readonly name: string;
  /** What was examined, or what is wrong. */
  readonly message: string;
  /** What to do; empty if nothing is wrong. */
  readonly remedy: string;
};

export function ok(name: string, message: string): Finding {
  return { severity: 'ok', name, message, remedy: '' };
}

export function warning(name: string, message: string, remedy: string): Finding {
  return { severity: 'warning', name, message, remedy };
}

export function error(name: string, message: string, remedy: string): Finding {
  return { severity: 'error', name, message, remedy };
}

/** A fault for which the server does not start, or of which it warns. */
export function ofFault({ name, problem, remedy }: Fault, severity: Severity = 'error'): Finding {
  return { severity, name, message: problem, remedy };
}

/** The faults, or the line that says what is in order. */
export function orOk(faults: readonly Finding[], name: string, message: string): readonly Finding[] {
  return faults.length > 0 ? faults : [ok(name, message)];
}

export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

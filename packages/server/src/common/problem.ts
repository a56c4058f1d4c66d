import { type Problem, type ProblemCode, problems } from '@tocsin/contract';

export type ProblemFault = { pointer: string; message: string };

/** A failure that the caller can understand and act on. Any other error is a bug. */
export class ProblemError extends Error {
  readonly code: ProblemCode;
  readonly faults: readonly ProblemFault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ProblemCode,
    detail: string,
    more: { faults?: readonly ProblemFault[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: more.cause });
    this.name = 'ProblemError';
    this.code = code;
    this.faults = more.faults ?? [];
    this.headers = more.headers ?? {};
  }

  get status(): number {
    return problems[this.code].status;
  }
}

/** A wrong member or parameter of the request, with the reason. */
export function invalid(pointer: string, message: string): ProblemError {
  return new ProblemError('invalid-request', `${pointer} ${message}`, { faults: [{ pointer, message }] });
}

/** The request names an object that does not exist, e.g. `unknownReference('stationId', 7)`. */
export function unknownReference(pointer: string, id: number | string): ProblemError {
  const message = `${id} does not exist`;
  return new ProblemError('unknown-reference', `${pointer} ${message}`, { faults: [{ pointer, message }] });
}

export function notFound(noun: string, id: number | string): ProblemError {
  return new ProblemError('not-found', `There is no ${noun} ${id}`);
}

export function problemBody(error: ProblemError, instance: string): Problem {
  const { status, title } = problems[error.code];
  return {
    type: `urn:tocsin:problem:${error.code}`,
    title,
    status,
    detail: error.message,
    instance,
    code: error.code,
    errors: [...error.faults],
  };
}

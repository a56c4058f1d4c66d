import type { Problem, SecondFactorMethod } from '@tocsin/contract';

export type ProblemFault = Problem['errors'][number];

/** The code of a request that got no answer. */
export const noConnection = 'no-connection';

/** What completes a log-in after a right password. */
export type SecondStep = { readonly token: string; readonly methods: readonly SecondFactorMethod[] };

export type ProblemParts = {
  /** 0 if there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly errors?: readonly ProblemFault[];
  readonly retryAfterSeconds?: number | undefined;
  readonly secondStep?: SecondStep | undefined;
};

/** A request that was refused or failed, as the server explains it. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** One of the public codes of the interface, an OAuth error of a log-in, or `no-connection`. */
  readonly code: string;
  readonly title: string;
  readonly detail: string | undefined;
  readonly errors: readonly ProblemFault[];
  readonly retryAfterSeconds: number | undefined;
  /** With the code `mfa_required` of a log-in only. */
  readonly secondStep: SecondStep | undefined;

  constructor(
    { status, code, title, detail, errors = [], retryAfterSeconds, secondStep }: ProblemParts,
    cause?: unknown,
  ) {
    super(detail ?? title, { cause });
    this.status = status;
    this.code = code;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
    this.secondStep = secondStep;
  }

  /** Whether the request may have failed for want of a connection, so that it is worth another try. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** The problem of an answer that is not a success. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const body = await readObject(response);
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : undefined);
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const title = text('title') ?? text('error_description') ?? `The server answered ${response.status}`;
  return new ProblemError({
    status: response.status,
    // An OAuth error has its code in `error`.
    code: text('code') ?? text('error') ?? `http-${response.status}`,
    title,
    detail: text('detail'),
    errors: Array.isArray(body['errors']) ? (body['errors'] as ProblemFault[]) : [],
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
    secondStep: secondStepOf(body),
  });
}

function secondStepOf({ mfa_token: token, methods }: Record<string, unknown>): SecondStep | undefined {
  if (typeof token !== 'string' || !Array.isArray(methods)) return undefined;
  return { token, methods: methods as SecondFactorMethod[] };
}

async function readObject(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

import type { Tracing } from '@tocsin/telemetry';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../common/problem.ts';
import { principalOf } from './authorization.ts';

/** The W3C `traceparent` that the client sent. A malformed one counts as none. */
export function traceParentOf({ headers }: FastifyRequest): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? traceparent : undefined;
}

/** Runs the work of a request as a span, whose `traceparent` the work hands on. */
export async function traceRequest<Result>(
  tracing: Tracing,
  request: FastifyRequest,
  cause: { parent: string | undefined; link?: string | undefined },
  work: (traceParent: string | undefined) => Promise<Result>,
): Promise<Result> {
  const { method, url = '' } = request.routeOptions;
  const attributes = {
    'http.request.method': String(method),
    'http.route': url,
    'tocsin.tenant.id': principalOf(request).tenantId,
  };
  const span = tracing.start({ name: `${String(method)} ${url}`, kind: 'server', ...cause, attributes });
  if (!span) return work(undefined);
  request.traceId = span.traceId;
  try {
    const result = await work(span.traceParent);
    span.end({ 'http.response.status_code': 200 });
    return result;
  } catch (error) {
    span.end(failureOf(error));
    throw error;
  }
}

function failureOf(error: unknown): Record<string, string | number> {
  const status = error instanceof ProblemError ? error.status : 500;
  const code = error instanceof ProblemError ? error.code : 'bug';
  return { 'http.response.status_code': status, ...(status >= 500 && { 'error.type': code }) };
}

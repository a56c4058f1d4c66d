import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ProblemCode, problems } from '@tocsin/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError, problemBody } from '../../common/problem.ts';
import type { OnRefused } from '../audit-refusals.ts';
import type { HttpApp } from '../http-app.ts';
import { createFailureLog } from './outage-log.ts';
import { methodsOf } from './route-table.ts';

/** Answers every failure as an RFC 9457 problem, and a bug without its details. */
export function answerProblems(app: HttpApp, onRefused?: OnRefused): void {
  const logFailure = createFailureLog();
  app.setErrorHandler((error: FastifyError | ProblemError, request, reply) => {
    const problem = toProblem(error, request);
    if (problem.status >= 500)
      logFailure(request.log, problem, { err: error, route: request.routeOptions.url });
    // A client that is cut off while it sends would not see the reason, so the rest of the body is read and dropped.
    if (problem.code === 'body-too-large') reply.removeHeader('connection');
    if (problem.code !== 'not-allowed' || !request.principal || !onRefused)
      return send(problem, request, reply);
    return onRefused(request, problem).then(() => send(problem, request, reply));
  });

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    const methods = methodsOf(app, path);
    if (methods.length === 0)
      return send(new ProblemError('not-found', `There is nothing at ${path}`), request, reply);
    const problem = new ProblemError('method-not-allowed', `${path} takes ${methods.join(', ')}`, {
      headers: { allow: methods.join(', ') },
    });
    return send(problem, request, reply);
  });
}

/** Answers a URL that cannot be parsed, e.g. with a broken percent escape: no hook has run for it. */
export function answerBadUrl(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void send(toProblem(error, request), request, reply);
}

function send(problem: ProblemError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(problem.status)
    .headers(problem.headers)
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send(problemBody(problem, pathOf(request.url)));
}

/** Without the query, which may contain the token of a hub client. */
function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

type ValidationFault = { pointer: string; httpPart: string; message: string };

function toProblem(error: FastifyError | ProblemError, { url }: FastifyRequest): ProblemError {
  if (error instanceof ProblemError) return error;
  if ('pointer' in error) {
    const fault = error as unknown as ValidationFault;
    // Such an identifier cannot exist, and a later release may add a route with that name.
    if (fault.httpPart === 'params')
      return new ProblemError('not-found', `There is nothing at ${pathOf(url)}`);
    return validationProblem(fault);
  }
  const code = frameworkCodes[error.code] ?? codeOfStatus(error.statusCode);
  if (code === undefined) return new ProblemError('internal', 'Something went wrong; it has been logged');
  return new ProblemError(code, error.message, { cause: error });
}

function validationProblem({ pointer, httpPart, message }: ValidationFault): ProblemError {
  const named = httpPart === 'body' ? pointer || '/' : pointer.slice(1);
  const subject = named === '/' || named === '' ? 'The body' : named;
  return new ProblemError('invalid-request', `${subject} ${message}`, {
    faults: [{ pointer: named, message }],
  });
}

const frameworkCodes: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
};

function codeOfStatus(status: number | undefined): ProblemCode | undefined {
  if (status === undefined || status >= 500) return undefined;
  const match = Object.entries(problems).find(([, problem]) => problem.status === status);
  return match === undefined ? 'invalid-request' : (match[0] as ProblemCode);
}

/** Answers data that is not valid HTTP: there is no request object for it. */
export function answerUnparsable(error: Error & { code?: string }, socket: Socket): void {
  // A failed TLS handshake cannot be answered.
  if (/^ERR_(SSL|TLS)/.test(error.code ?? '')) socket.destroy();
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new ProblemError('headers-too-large', 'The request line and headers are too large')
      : new ProblemError('invalid-request', 'The request is not valid HTTP');
  const body = JSON.stringify(problemBody(problem, '/'));
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n` +
      `Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}

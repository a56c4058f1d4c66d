import { consolePages } from '@tocsin/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ProblemError } from '../../common/problem.ts';
import type { HttpApp } from '../http-app.ts';
import type { ConsoleFiles } from './console-files.ts';
import { sendFile } from './send-file.ts';
import { unbuiltPage } from './unbuilt-page.ts';

/** The console loads everything from this server, and runs nothing that is written into a page. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The names of these files contain a hash of their content. */
const hashedFolder = 'assets/';

const options = {
  config: { permission: 'public' as const },
  schema: { hide: true, response: { 200: Type.Unsafe<Buffer>({ type: 'string' }) } },
};

/** The operator console. Undefined stands for one that is not built: its pages say how to build it. */
export function consoleRoutes(app: HttpApp, built: ConsoleFiles | undefined): void {
  // Also on scripts: a service worker runs under the policy that came with its own script.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('content-security-policy', contentSecurityPolicy);
  });
  for (const path of consolePages)
    app.get(path, withPath(path), (request, reply) => {
      sendPage(request, reply, built);
    });
  if (!built) return;
  const { files } = built;
  for (const route of new Set([...files.keys()].map(routeOf)))
    app.get(route, withPath(route), (request, reply) => {
      const { '*': below } = request.params as { '*'?: string };
      const path = (below === undefined ? route : route.replace('*', below)).slice(1);
      const file = files.get(path);
      if (!file) throw new ProblemError('not-found', `The console has no file ${path}`);
      sendFile(request, reply, { file, isHashed: path.startsWith(hashedFolder) });
    });
}

/** One route for each file at the root and for each folder. */
function routeOf(path: string): string {
  const [top, ...below] = path.split('/');
  return below.length === 0 ? `/${top}` : `/${top}/*`;
}

function withPath(path: string) {
  if (!path.endsWith('*')) return options;
  return { ...options, schema: { ...options.schema, params: Type.Object({ '*': Type.String() }) } };
}

function sendPage(
  { headers: { accept = '' }, url }: FastifyRequest,
  reply: FastifyReply,
  built: ConsoleFiles | undefined,
): void {
  // Of a program that forgot `/api/v1`: a page would look like an answer to it.
  if (accept.includes('json') && !accept.includes('html'))
    throw new ProblemError('not-found', `There is only a page at ${url.split('?', 1)[0]}`);
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store');
  if (built) void reply.send(built.index);
  else void reply.code(503).send(unbuiltPage);
}

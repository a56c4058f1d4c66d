import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { HttpApp } from '../http-app.ts';
import type { ServedFile } from './console-files.ts';
import { sendFile } from './send-file.ts';
import { missingHelp, unbuiltHelp } from './unbuilt-page.ts';

/**
 * As strict as that of the console, but for the search: it is a program in WebAssembly, which a browser compiles only
 * with this word. It allows no text to become a script.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const place = '/help';
/** The names of these files contain a hash of their content. */
const hashedFolder = '_astro/';
const missingPath = '404.html';
const html = 'text/html; charset=utf-8';

const options = {
  config: { permission: 'public' as const },
  schema: { hide: true, response: { 200: Type.Unsafe<Buffer>({ type: 'string' }) } },
};
const below = {
  ...options,
  schema: { ...options.schema, params: Type.Object({ '*': Type.String() }) },
};

export type Help = {
  readonly basePath: string;
  /** By their path below `/help`; undefined if the documentation is not built. */
  readonly files: ReadonlyMap<string, ServedFile> | undefined;
};

type Site = Help & { readonly missing: string };

/** The documentation, at addresses that end with a slash: links in its pages are relative to them. */
export function helpRoutes(app: HttpApp, help: Help): void {
  const site = { ...help, missing: missingPage(help) };
  // Also on scripts: a worker runs under the policy that came with its own script.
  app.addHook('onSend', async (_request, reply) => {
    reply.header('content-security-policy', contentSecurityPolicy);
  });
  app.get(place, options, (request, reply) => {
    answer(request, reply, site);
  });
  app.get(`${place}/*`, below, (request, reply) => {
    answer(request, reply, site);
  });
}

/** The page for addresses that do not exist. It is shown at any depth, so its addresses begin with the base path. */
function missingPage({ basePath, files }: Help): string {
  const page = files?.get(missingPath)?.content.toString() ?? missingHelp;
  return page.replaceAll(/(?<=\s(?:src|href)=")\/help\//g, `${basePath}${place}/`);
}

function answer(request: FastifyRequest, reply: FastifyReply, { basePath, files, missing }: Site): void {
  if (!files) return void reply.code(503).type(html).send(unbuiltHelp);
  const start = `${basePath}${place}`;
  const [address = ''] = request.url.split('?', 1);
  const path = address.slice(start.length + 1);
  const isFolder = address.endsWith('/');
  const file = path === missingPath ? undefined : files.get(isFolder ? `${path}index.html` : path);
  if (file && address.length > start.length)
    return sendFile(request, reply, { file, isHashed: path.startsWith(hashedFolder) });
  const page = path === '' ? 'index.html' : `${path}/index.html`;
  if (isFolder || !files.has(page)) return void reply.code(404).type(html).send(missing);
  void reply.redirect(`${start}/${path === '' ? '' : `${path}/`}`, 302);
}

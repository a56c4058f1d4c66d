import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { host } from '../folder/find-port.ts';
import type { PhoneExchange } from './phone-exchange.ts';
import { act, answerServer } from './phone-routes.ts';

export type PhoneServer = { close(): Promise<void> };

export type PhoneServerOptions = {
  readonly port: number;
  /** Of the alarm server, from which the page takes its styles. */
  readonly serverUrl: string;
  /** Opens the console for the owner of the code; undefined if it is wrong or was used. */
  signIn(code: string): Promise<string | undefined>;
};

const pages = new URL('../../../pages/', import.meta.url);
const files: Readonly<Record<string, readonly [string, string]>> = {
  '/phones.css': ['phones.css', 'text/css; charset=utf-8'],
  '/phones.js': ['phones.js', 'text/javascript; charset=utf-8'],
  '/phone-sound.js': ['phone-sound.js', 'text/javascript; charset=utf-8'],
};
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; img-src 'self'";

/** Serves the telephones to the visitor, and is the phone company of the server. It listens on this machine only. */
export async function servePhones(
  exchange: PhoneExchange,
  options: PhoneServerOptions,
): Promise<PhoneServer> {
  const watching = new Set<ServerResponse>();
  const tell = (response: ServerResponse) => response.write(`data: ${JSON.stringify(exchange.view())}\n\n`);
  exchange.onChange(() => watching.forEach(tell));
  const watch = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    watching.add(response);
    exchange.handOver(true);
    response.on('close', () => {
      watching.delete(response);
      if (watching.size === 0) exchange.handOver(false);
    });
    tell(response);
  };
  const server = createServer((request, response) => {
    answer({ exchange, options, watch }, request, response).catch(() => send(response, 500, 'It failed.'));
  });
  server.listen(options.port, host);
  await once(server, 'listening');
  return {
    close: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

type Context = {
  readonly exchange: PhoneExchange;
  readonly options: PhoneServerOptions;
  watch(response: ServerResponse): void;
};

async function answer(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { exchange, options } = context;
  const { method = 'GET', url: path = '/' } = request;
  if (!isOwnPage(request, options.port)) return send(response, 403, 'This page is for this machine only.');
  const body = method === 'POST' ? await text(request) : '';
  const told = answerServer(exchange, { method, path, body });
  if (told) return send(response, told.status, JSON.stringify(told.body), 'application/json');
  if (method === 'POST')
    return act(exchange, path, body) ? send(response, 204, '') : send(response, 404, 'Not found');
  return show(context, path, response);
}

async function show({ options, watch }: Context, path: string, response: ServerResponse): Promise<void> {
  if (path === '/events') return watch(response);
  if (path.startsWith('/sign-in/')) return signIn(options, path.slice('/sign-in/'.length), response);
  if (path.startsWith('/assets/') || path === '/favicon.svg') return passOn(options, path, response);
  if (path === '/') return send(response, 200, await page(options), 'text/html; charset=utf-8');
  const [file, type] = files[path] ?? [];
  if (file === undefined || type === undefined) return send(response, 404, 'Not found');
  return send(response, 200, readFileSync(new URL(file, pages), 'utf8'), type);
}

/** Pages elsewhere must not press keys here, nor read what is said: not by a form, and not under another name of this machine. */
function isOwnPage({ headers, method }: IncomingMessage, port: number): boolean {
  const isOwnName = [`${host}:${port}`, `localhost:${port}`].includes(headers.host ?? '');
  const site = headers['sec-fetch-site'];
  const isTyped = method === 'GET' && headers['sec-fetch-mode'] === 'navigate';
  return isOwnName && (site === undefined || site === 'same-origin' || site === 'none' || isTyped);
}

async function page({ serverUrl }: PhoneServerOptions): Promise<string> {
  const template = readFileSync(new URL('phones.html', pages), 'utf8');
  const console = await (await fetch(`${serverUrl}/`)).text();
  const [, styles = '/phones.css'] = /<link rel="stylesheet"[^>]* href="([^"]+)"/.exec(console) ?? [];
  return template.replaceAll('{console}', serverUrl).replace('{styles}', styles);
}

/** The styles and fonts of the console, so that the telephones look like it. */
async function passOn(
  { serverUrl }: PhoneServerOptions,
  path: string,
  response: ServerResponse,
): Promise<void> {
  const file = await fetch(`${serverUrl}${path}`);
  const type = file.headers.get('content-type') ?? 'application/octet-stream';
  send(response, file.status, Buffer.from(await file.arrayBuffer()), type);
}

/** The cookie is for all ports of this address, so it signs the browser in at the server. */
async function signIn(options: PhoneServerOptions, code: string, response: ServerResponse): Promise<void> {
  const cookie = await options.signIn(code);
  if (cookie === undefined)
    return send(
      response,
      403,
      'This link was used already. Press l in the terminal of the demo for a new one.',
    );
  response.writeHead(303, { location: `${options.serverUrl}/#signed-in`, 'set-cookie': cookie });
  response.end();
}

function send(response: ServerResponse, status: number, body: string | Buffer, type = 'text/plain'): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  response.end(body);
}

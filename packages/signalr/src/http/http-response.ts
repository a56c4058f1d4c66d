import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** A complete HTTP response, for a `ServerResponse` or for a socket whose upgrade is rejected. */
export type HttpResponse = {
  readonly status: number;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
};

const safeHeaders = {
  'cache-control': 'no-cache, no-store',
  pragma: 'no-cache',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

export function textResponse(status: number, text: string): HttpResponse {
  return { status, body: text, headers: { 'content-type': 'text/plain; charset=utf-8' } };
}

export function jsonResponse(status: number, value: unknown): HttpResponse {
  return { status, body: JSON.stringify(value), headers: { 'content-type': 'application/json' } };
}

export function sendResponse(
  response: ServerResponse,
  { status, body = '', headers = {} }: HttpResponse,
  extraHeaders: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const length = status === 204 ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  response.writeHead(status, { ...safeHeaders, ...extraHeaders, ...headers, ...length });
  response.end(status === 204 ? undefined : body);
}

/** Rejects an upgrade with a plain HTTP response on its socket. */
export function rejectUpgrade(socket: Duplex, { status, body = '', headers = {} }: HttpResponse): void {
  if (!socket.writable) return;
  const all = {
    ...safeHeaders,
    ...headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body.toString()}`);
}

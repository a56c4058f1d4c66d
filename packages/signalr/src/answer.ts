import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** A whole HTTP answer, for a response or for a socket that was not upgraded. */
export type Answer = {
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

export function textAnswer(status: number, text: string): Answer {
  return { status, body: text, headers: { 'content-type': 'text/plain; charset=utf-8' } };
}

export function jsonAnswer(status: number, value: unknown): Answer {
  return { status, body: JSON.stringify(value), headers: { 'content-type': 'application/json' } };
}

export function sendAnswer(
  response: ServerResponse,
  { status, body = '', headers = {} }: Answer,
  more: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const length = status === 204 ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  response.writeHead(status, { ...safeHeaders, ...more, ...headers, ...length });
  response.end(status === 204 ? undefined : body);
}

/** Refuses an upgrade: the socket still speaks HTTP. */
export function sendRefusal(socket: Duplex, { status, body = '', headers = {} }: Answer): void {
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

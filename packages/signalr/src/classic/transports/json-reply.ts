import type { ServerResponse } from 'node:http';
import { sendResponse } from '../../http/http-response.ts';

/** A response with JSON, plain or wrapped for JSONP. */
export type Reply = {
  readonly response: ServerResponse;
  /** The JSONP callback, if any. */
  readonly callback: string | undefined;
};

/** Allows only names, because other text could inject a script. */
export function isCallbackName(name: string): boolean {
  return /^[\w$][\w$.]{0,127}$/.test(name);
}

export function replyJson(reply: Reply, value: unknown): void {
  replyText(reply, JSON.stringify(value));
}

export function replyText({ response, callback }: Reply, json: string): void {
  // The comment prevents browsers from interpreting the callback name as another file type.
  const body = callback === undefined ? json : `/**/${callback}(${json});`;
  if (response.headersSent) response.end(body);
  else sendResponse(response, { status: 200, body, headers: { 'content-type': typeOf(callback) } });
}

/** Writes white space, which clients ignore, so that proxies keep the request open. */
export function keepReplyAlive({ response, callback }: Reply): void {
  if (!response.headersSent) {
    response.writeHead(200, { 'content-type': typeOf(callback), ...noCacheHeaders });
  }
  response.write(' ');
}

const noCacheHeaders = {
  'cache-control': 'no-cache, no-store',
  pragma: 'no-cache',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

function typeOf(callback: string | undefined): string {
  return callback === undefined ? 'application/json; charset=utf-8' : 'application/javascript; charset=utf-8';
}

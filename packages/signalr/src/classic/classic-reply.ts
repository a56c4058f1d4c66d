import type { ServerResponse } from 'node:http';
import { sendAnswer } from '../answer.ts';

/** Where a JSON text is answered, plain or wrapped for JSONP. */
export type Reply = {
  readonly response: ServerResponse;
  /** The function that a JSONP client wants called. */
  readonly callback: string | undefined;
};

/** Only what may stand before a call: anything else could be a script of somebody else. */
export function isCallbackName(name: string): boolean {
  return /^[\w$][\w$.]{0,127}$/.test(name);
}

export function replyJson(reply: Reply, value: unknown): void {
  replyText(reply, JSON.stringify(value));
}

export function replyText({ response, callback }: Reply, json: string): void {
  // The comment keeps the name from being read as the start of another kind of file.
  const body = callback === undefined ? json : `/**/${callback}(${json});`;
  if (response.headersSent) response.end(body);
  else sendAnswer(response, { status: 200, body, headers: { 'content-type': typeOf(callback) } });
}

/** White space before the text means nothing to clients, and shows proxies that somebody is there. */
export function keepReplyAlive({ response, callback }: Reply): void {
  if (!response.headersSent) {
    response.writeHead(200, { 'content-type': typeOf(callback), ...neverKept });
  }
  response.write(' ');
}

const neverKept = {
  'cache-control': 'no-cache, no-store',
  pragma: 'no-cache',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

function typeOf(callback: string | undefined): string {
  return callback === undefined ? 'application/json; charset=utf-8' : 'application/javascript; charset=utf-8';
}

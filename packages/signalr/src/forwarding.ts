import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as openRequest,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { sendAnswer, textAnswer } from './answer.ts';

/**
 * `unreachable`: nothing was answered and nothing of the body was read, so the caller may still serve it. An owner that
 * goes away when it has the request already is answered for with 502.
 */
export type Forwarded = 'answered' | 'unreachable';

/** Stops a request from going round when two nodes have each other's address wrong. */
const forwardedHeader = 'x-signalr-forwarded';
const connectMs = 2_000;
/** A connection that was kept could die under a request; then its body would be lost. */
const agent = new Agent({ keepAlive: false });

/** Named for one hop only; an upgrade needs its own. */
const hopHeaders = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade']);

export function wasForwarded(request: IncomingMessage): boolean {
  return request.headers[forwardedHeader] !== undefined;
}

/** Pipes a request to the node at `owner`, which serves the same paths, and its answer back as it comes. */
export function forwardRequest(
  owner: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Forwarded> {
  return new Promise((resolve) => {
    let isConnected = false;
    const onward = openOnward(owner, request, withoutHop(request));
    response.on('close', () => onward.destroy());
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, withoutHop(answer));
      response.flushHeaders();
      answer.pipe(response);
      answer.on('error', () => response.destroy());
      answer.on('close', () => resolve('answered'));
    });
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else if (isConnected) sendAnswer(response, textAnswer(502, 'The connection is gone'));
      resolve(isConnected || response.destroyed ? 'answered' : 'unreachable');
    });
    whenConnected(onward, () => {
      isConnected = true;
      request.pipe(onward);
    });
  });
}

/** The same for an upgrade: after the 101 both sides are one pipe. */
export function forwardUpgrade(
  owner: string,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<Forwarded> {
  return new Promise((resolve) => {
    const headers = { ...withoutHop(request), connection: 'Upgrade', upgrade: request.headers.upgrade };
    const onward = openOnward(owner, request, headers);
    socket.on('close', () => onward.destroy());
    onward.on('upgrade', (answer, other, otherHead) => {
      socket.write(headOf(answer));
      socket.write(otherHead);
      other.write(head);
      joinSockets(socket, other);
      resolve('answered');
    });
    onward.on('response', (answer) => {
      socket.write(headOf(answer));
      answer.pipe(socket);
      resolve('answered');
    });
    onward.on('error', () => resolve(socket.destroyed ? 'answered' : 'unreachable'));
    whenConnected(onward, () => onward.end());
  });
}

function openOnward(owner: string, request: IncomingMessage, headers: OutgoingHttpHeaders): ClientRequest {
  const { protocol, hostname, port } = new URL(owner);
  const from = request.socket.remoteAddress ?? '';
  const before = request.headers['x-forwarded-for'];
  const via = before === undefined ? from : `${String(before)}, ${from}`;
  return openRequest({
    agent,
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    method: request.method,
    path: request.url,
    headers: { ...headers, 'x-forwarded-for': via, [forwardedHeader]: '1' },
  });
}

function whenConnected(onward: ClientRequest, start: () => void): void {
  onward.on('socket', (socket) => {
    const timer = setTimeout(() => socket.destroy(new Error('connect time-out')), connectMs);
    socket.once('close', () => clearTimeout(timer));
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.setNoDelay(true);
      start();
    });
  });
}

function joinSockets(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}

function withoutHop({ headers }: IncomingMessage): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.has(name)));
}

function headOf(answer: IncomingMessage): string {
  const { statusCode = 502, rawHeaders } = answer;
  let head = `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Node has decoded the body by then; the end of the socket ends it.
    if (name.toLowerCase() === 'transfer-encoding') continue;
    head += `${name}: ${rawHeaders[index + 1]}\r\n`;
  }
  return `${head}\r\n`;
}

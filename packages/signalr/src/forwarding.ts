import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { sendAnswer, textAnswer } from './answer.ts';

/**
 * `unreachable`: nothing was answered and nothing of the body was read, so the caller may still serve it. An owner that
 * goes away when it has the request already is answered for with 502.
 */
export type Forwarded = 'answered' | 'unreachable';

/** The node that a request belongs to. */
export type Owner = {
  /** Such as `http://10.0.0.7:8080` or `https://node-1.example:8443`. */
  readonly address: string;
  /** Whom to trust, and what to show, where the address is https. */
  readonly tls: SecureContextOptions;
  /** Somebody answered at the address who could not prove to be that node. */
  readonly onUntrusted: (error: Error) => void;
};

/** Stops a request from going round when two nodes have each other's address wrong. */
const forwardedHeader = 'x-signalr-forwarded';
const connectMs = 2_000;
/** A connection that was kept could die under a request; then its body would be lost. */
const agents = {
  http: new HttpAgent({ keepAlive: false }),
  // Without sessions that are taken up again: each connection sees the certificates that hold now.
  https: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }),
};

/** Named for one hop only; an upgrade needs its own. */
const hopHeaders = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade']);

/** Whether the request says that another node sent it. */
export function wasForwarded(request: IncomingMessage): boolean {
  return request.headers[forwardedHeader] !== undefined;
}

/** Pipes a request to its owner, which serves the same paths, and its answer back as it comes. */
export function forwardRequest(
  owner: Owner,
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
    onward.on('error', (error) => {
      if (isUntrusted(error)) owner.onUntrusted(error);
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
  owner: Owner,
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
    onward.on('error', (error) => {
      if (isUntrusted(error)) owner.onUntrusted(error);
      resolve(socket.destroyed ? 'answered' : 'unreachable');
    });
    whenConnected(onward, () => onward.end());
  });
}

function openOnward(owner: Owner, request: IncomingMessage, headers: OutgoingHttpHeaders): ClientRequest {
  const { protocol, hostname, port } = new URL(owner.address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const from = request.socket.remoteAddress ?? '';
  const before = request.headers['x-forwarded-for'];
  const via = before === undefined ? from : `${String(before)}, ${from}`;
  const options = {
    host,
    port,
    method: request.method,
    path: request.url,
    headers: { ...headers, 'x-forwarded-for': via, [forwardedHeader]: '1' },
  };
  if (protocol !== 'https:') return requestHttp({ ...options, agent: agents.http });
  // The certificate must be that of the node. Unless told so, Node.js would look for the host that the client named.
  const servername = isIP(host) === 0 ? host : '';
  return requestHttps({ ...options, ...owner.tls, agent: agents.https, servername, minVersion: 'TLSv1.2' });
}

function isUntrusted(error: Error): boolean {
  return 'code' in error && /CERT|ISSUER|^ERR_(TLS|SSL)/.test(String(error.code));
}

function whenConnected(onward: ClientRequest, start: () => void): void {
  onward.on('socket', (socket) => {
    const timer = setTimeout(() => socket.destroy(new Error('connect time-out')), connectMs);
    socket.once('close', () => clearTimeout(timer));
    // Nothing of the request is sent before the certificate of the other side was found good.
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
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

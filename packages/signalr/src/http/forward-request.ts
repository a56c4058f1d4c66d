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
import { sendResponse, textResponse } from './http-response.ts';

/**
 * `unreachable`: no response was sent and the body was not read, so the caller may still serve the request. If the
 * owner fails after it has received the request, the client gets a 502.
 */
export type ForwardResult = 'responded' | 'unreachable';

/** The node that owns the connection of a request. */
export type TargetNode = {
  /** Such as `http://10.0.0.7:8080` or `https://node-1.example:8443`. */
  readonly address: string;
  /** The trusted CA and the own certificate, used if the address is https. */
  readonly tls: SecureContextOptions;
  /** Called if the certificate presented at the address is not trusted. */
  readonly onUntrusted: (error: Error) => void;
};

/** Marks a forwarded request, so that wrongly configured addresses cannot cause a forwarding loop. */
const forwardedHeader = 'x-signalr-forwarded';
const connectTimeoutMs = 2_000;
/** Without keep-alive: a reused connection could break while it carries a request, and the body would be lost. */
const agents = {
  http: new HttpAgent({ keepAlive: false }),
  // Without TLS session resumption: each connection checks the current certificates.
  https: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }),
};

/** Hop-by-hop headers are not forwarded; an upgrade sets its own. */
const hopByHopHeaders = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade']);

/** Whether another node has forwarded the request, according to its header. */
export function wasForwarded(request: IncomingMessage): boolean {
  return request.headers[forwardedHeader] !== undefined;
}

/** Pipes a request to the owner, which serves the same paths, and streams the response back. */
export function forwardRequest(
  target: TargetNode,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<ForwardResult> {
  return new Promise((resolve) => {
    let isConnected = false;
    const outgoing = openOutgoing(target, request, endToEndHeaders(request));
    response.on('close', () => outgoing.destroy());
    outgoing.on('response', (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, endToEndHeaders(incoming));
      response.flushHeaders();
      incoming.pipe(response);
      incoming.on('error', () => response.destroy());
      incoming.on('close', () => resolve('responded'));
    });
    outgoing.on('error', (error) => {
      if (isUntrusted(error)) target.onUntrusted(error);
      if (response.headersSent) response.destroy();
      else if (isConnected)
        sendResponse(response, textResponse(502, 'The node that owns the connection failed'));
      resolve(isConnected || response.destroyed ? 'responded' : 'unreachable');
    });
    whenConnected(outgoing, () => {
      isConnected = true;
      request.pipe(outgoing);
    });
  });
}

/** Forwards an upgrade. After the 101 both sockets are piped into each other. */
export function forwardUpgrade(
  target: TargetNode,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<ForwardResult> {
  return new Promise((resolve) => {
    const headers = { ...endToEndHeaders(request), connection: 'Upgrade', upgrade: request.headers.upgrade };
    const outgoing = openOutgoing(target, request, headers);
    socket.on('close', () => outgoing.destroy());
    outgoing.on('upgrade', (incoming, other, otherHead) => {
      socket.write(responseHead(incoming));
      socket.write(otherHead);
      other.write(head);
      pipeBothWays(socket, other);
      resolve('responded');
    });
    outgoing.on('response', (incoming) => {
      socket.write(responseHead(incoming));
      incoming.pipe(socket);
      resolve('responded');
    });
    outgoing.on('error', (error) => {
      if (isUntrusted(error)) target.onUntrusted(error);
      resolve(socket.destroyed ? 'responded' : 'unreachable');
    });
    whenConnected(outgoing, () => outgoing.end());
  });
}

function openOutgoing(
  target: TargetNode,
  request: IncomingMessage,
  headers: OutgoingHttpHeaders,
): ClientRequest {
  const { protocol, hostname, port } = new URL(target.address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const from = request.socket.remoteAddress ?? '';
  const previous = request.headers['x-forwarded-for'];
  const via = previous === undefined ? from : `${String(previous)}, ${from}`;
  const options = {
    host,
    port,
    method: request.method,
    path: request.url,
    headers: { ...headers, 'x-forwarded-for': via, [forwardedHeader]: '1' },
  };
  if (protocol !== 'https:') return requestHttp({ ...options, agent: agents.http });
  // Without `servername` Node.js would check the certificate against the client's Host header.
  const servername = isIP(host) === 0 ? host : '';
  return requestHttps({ ...options, ...target.tls, agent: agents.https, servername, minVersion: 'TLSv1.2' });
}

function isUntrusted(error: Error): boolean {
  return 'code' in error && /CERT|ISSUER|^ERR_(TLS|SSL)/.test(String(error.code));
}

function whenConnected(outgoing: ClientRequest, start: () => void): void {
  outgoing.on('socket', (socket) => {
    const timer = setTimeout(() => socket.destroy(new Error('connect timeout')), connectTimeoutMs);
    socket.once('close', () => clearTimeout(timer));
    // Sends nothing before the certificate of the other node is verified.
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      clearTimeout(timer);
      socket.setNoDelay(true);
      start();
    });
  });
}

function pipeBothWays(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  }
}

function endToEndHeaders({ headers }: IncomingMessage): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHopHeaders.has(name)));
}

function responseHead(incoming: IncomingMessage): string {
  const { statusCode = 502, rawHeaders } = incoming;
  let head = `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Node.js has already decoded the chunks; the end of the socket ends the body.
    if (name.toLowerCase() === 'transfer-encoding') continue;
    head += `${name}: ${rawHeaders[index + 1]}\r\n`;
  }
  return `${head}\r\n`;
}

import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import type { Logger } from 'pino';
import { guardedLookup, refuseAddress, refuseSocket } from './connect.ts';
import {
  ConnectionFault,
  faultReasons,
  logFault,
  NotConnected,
  notConnectedReason,
} from './connection-fault.ts';
import type { Egress } from './egress.ts';

export type HttpRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly signal: AbortSignal;
};

export type HttpAnswer = {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly text: string;
};

/** Sends HTTP requests to allowed addresses, follows no redirect, and limits the size of responses. */
export type HttpClient = {
  /** Rejects with `NotConnected` if nothing can have arrived, and with another `ConnectionFault` if it may have. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): void;
};

export type HttpLimits = {
  readonly timeoutMs: number;
  /** The rest of a longer response is not read. */
  readonly maxResponseBytes: number;
  readonly connections: number;
  /** An authority in PEM that is trusted besides those of the machine. */
  readonly certificate?: string | undefined;
};

const connectTimeoutMs = 3_000;

export function createHttpClient(egress: Egress, limits: HttpLimits, log: Logger): HttpClient {
  const pool = { keepAlive: true, maxSockets: limits.connections };
  const agents = {
    'http:': new HttpAgent(pool),
    'https:': new HttpsAgent({ ...pool, ...trusting(limits.certificate) }),
  };
  return {
    send: async (request) => {
      try {
        return await send(request, { egress, limits, agents });
      } catch (error) {
        logFault(log, peerOf(request.url), error);
        throw error;
      }
    },
    close: () => {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

/** Made once, because reading all authorities of the machine takes longer than a connection. */
function trusting(certificate: string | undefined): object {
  if (certificate === undefined) return {};
  return { secureContext: createSecureContext({ ca: [...getCACertificates('default'), certificate] }) };
}

/** The host alone, because user, path and query may be secret. */
function peerOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'no URL';
}

type Connector = {
  egress: Egress;
  limits: HttpLimits;
  agents: { 'http:': HttpAgent; 'https:': HttpsAgent };
};

function send(
  { method, url: text, headers = {}, body, signal }: HttpRequest,
  { egress, limits, agents }: Connector,
): Promise<HttpAnswer> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    return Promise.reject(new NotConnected('not an http or https URL'));
  const guard = url.protocol === 'https:' ? egress : forPlainText(egress);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const refused = refuseAddress(guard, url.hostname, port);
  if (refused) return Promise.reject(refused);
  if (signal.aborted) return Promise.reject(new NotConnected('given up before it was sent'));

  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const outgoing = open(url, {
      method,
      agent: agents[url.protocol as keyof typeof agents],
      headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: guardedLookup(guard, port),
    });
    const abort = () => outgoing.destroy(new ConnectionFault(faultReasons.late));
    const timer = setTimeout(abort, limits.timeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    outgoing.once('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    });
    let connected = false;
    outgoing.once('socket', (socket) => {
      connected = outgoing.reusedSocket;
      if (!connected) watchConnection(socket, guard, port);
      if (!connected)
        socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => (connected = true));
    });
    const fail = (error: unknown) => reject(faultOf(error, connected));
    outgoing.once('error', fail);
    outgoing.once('response', (incoming) => {
      read(incoming, limits.maxResponseBytes).then(resolve, fail);
    });
    outgoing.end(body);
  });
}

function faultOf(error: unknown, connected: boolean): ConnectionFault {
  if (error instanceof NotConnected) return error;
  if (!connected) return new NotConnected(notConnectedReason(error), error);
  return error instanceof ConnectionFault ? error : new ConnectionFault(faultReasons.brokenOff, error);
}

/** Unencrypted requests go only to addresses that the operator lists. */
function forPlainText(egress: Egress): Egress {
  const refusal = (address: string, port: number) =>
    egress.isListed(address, port) ? undefined : (egress.refusal(address, port) ?? faultReasons.notEncrypted);
  return { ...egress, refusal };
}

function watchConnection(socket: Socket, egress: Egress, port: number): void {
  socket.setTimeout(connectTimeoutMs, () => {
    socket.destroy(new NotConnected(faultReasons.noServer, `no connection in ${connectTimeoutMs} ms`));
  });
  socket.once('connect', () => {
    socket.setTimeout(0);
    const refused = refuseSocket(egress, socket, port);
    if (refused) socket.destroy(refused);
  });
}

async function read(incoming: IncomingMessage, maxResponseBytes: number): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxResponseBytes) break;
  }
  return {
    status: incoming.statusCode ?? 0,
    retryAfterSeconds: readRetryAfter(incoming.headers['retry-after']),
    text: Buffer.concat(chunks).subarray(0, maxResponseBytes).toString('utf8'),
  };
}

/** Reads seconds only: a date would depend on the clock of the peer. */
function readRetryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

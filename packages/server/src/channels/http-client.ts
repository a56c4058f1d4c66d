import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
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
  readonly body?: string;
  readonly signal: AbortSignal;
};

export type HttpAnswer = {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly text: string;
};

/** Speaks HTTP to where the egress allows it, follows no redirect, and believes no answer to be short. */
export type HttpClient = {
  /** Rejects with `NotConnected` when nothing can have arrived, and with another `ConnectionFault` when it may have. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): void;
};

export type HttpLimits = {
  readonly timeoutMs: number;
  /** Bytes. What is beyond is not read. */
  readonly largestAnswer: number;
  readonly connections: number;
};

const connectTimeoutMs = 3_000;

export function createHttpClient(egress: Egress, limits: HttpLimits, log: Logger): HttpClient {
  const pool = { keepAlive: true, maxSockets: limits.connections };
  const agents = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent(pool) };
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

/** Without what may be a secret: user, path and query. */
function peerOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'no URL';
}

type Means = {
  egress: Egress;
  limits: HttpLimits;
  agents: { 'http:': HttpAgent; 'https:': HttpsAgent };
};

function send(
  { method, url: text, headers = {}, body, signal }: HttpRequest,
  { egress, limits, agents }: Means,
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
    const giveUp = () => outgoing.destroy(new ConnectionFault(faultReasons.late));
    const timer = setTimeout(giveUp, limits.timeoutMs);
    signal.addEventListener('abort', giveUp, { once: true });
    outgoing.once('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
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
      read(incoming, limits.largestAnswer).then(resolve, fail);
    });
    outgoing.end(body);
  });
}

function faultOf(error: unknown, connected: boolean): ConnectionFault {
  if (error instanceof NotConnected) return error;
  if (!connected) return new NotConnected(notConnectedReason(error), error);
  return error instanceof ConnectionFault ? error : new ConnectionFault(faultReasons.brokenOff, error);
}

/** What is not encrypted goes only to addresses that the installation calls its own. */
function forPlainText(egress: Egress): Egress {
  const refusal = (address: string, port: number) =>
    egress.isOwn(address, port) ? undefined : (egress.refusal(address, port) ?? faultReasons.notEncrypted);
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

async function read(incoming: IncomingMessage, largestAnswer: number): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > largestAnswer) break;
  }
  return {
    status: incoming.statusCode ?? 0,
    retryAfterSeconds: readRetryAfter(incoming.headers['retry-after']),
    text: Buffer.concat(chunks).subarray(0, largestAnswer).toString('utf8'),
  };
}

/** Seconds only: a date would have to be judged by a clock that is not ours. */
function readRetryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpApp } from './http-app.ts';

/** A server on its way out: it says so, and still answers everything it is asked. */
export type Drain = {
  readonly isDraining: () => boolean;
  readonly begin: () => void;
};

export function createDrain(): Drain {
  let draining = false;
  return {
    isDraining: () => draining,
    begin: () => {
      draining = true;
    },
  };
}

/** While draining, each answer asks its client to come back on another connection, so that none is cut off. */
export function closeConnectionsOf(app: HttpApp, { isDraining }: Drain): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining()) reply.header('connection', 'close');
    done();
  });
}

/** For a request that has begun to arrive to arrive whole. */
const longestArrivalMs = 4_000;

/**
 * Watches for connections that a closing server would wait for though nobody on them waits for an answer:
 * nothing was asked, as when browsers open them ahead of need, or a request never ends. The function returned
 * ends them.
 */
export function watchSilentConnections({ server }: HttpApp): () => void {
  const asked = new Map<string, { socket: Socket; request: IncomingMessage | undefined }>();
  const watch = (socket: Socket) => {
    const peer = peerOf(socket);
    asked.set(peer, { socket, request: undefined });
    socket.once('close', () => {
      if (asked.get(peer)?.socket === socket) asked.delete(peer);
    });
  };
  server.on('connection', watch);
  // With TLS the socket of requests is another one, on top of that of the connection.
  server.on('secureConnection', watch);
  server.on('request', (request, response) => {
    const { socket } = request;
    const peer = peerOf(socket);
    asked.set(peer, { socket, request });
    response.once('close', () => {
      if (asked.get(peer)?.request === request) asked.set(peer, { socket, request: undefined });
    });
  });
  return () => {
    for (const { socket, request } of asked.values()) {
      if (request === undefined) socket.destroy();
      else setTimeout(() => request.complete || socket.destroy(), longestArrivalMs).unref();
    }
  };
}

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

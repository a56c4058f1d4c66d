import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpApp } from '../http-app.ts';

/** The state of a stopping server, which still answers all requests. */
export type Drain = {
  readonly isDraining: () => boolean;
  readonly begin: () => void;
};

export function createDrain(): Drain {
  let isDraining = false;
  return {
    isDraining: () => isDraining,
    begin: () => {
      isDraining = true;
    },
  };
}

/** While draining, each answer closes its connection, so that clients reconnect elsewhere and none is cut off. */
export function closeConnectionsOf(app: HttpApp, { isDraining }: Drain): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isDraining()) reply.header('connection', 'close');
    done();
  });
}

/** Time for a request that is being received to be complete. */
const maxArrivalMs = 4_000;

/**
 * Tracks connections that would delay a closing server although no client waits for an answer: browsers open connections
 * in advance, and some requests never end. The returned function ends these connections.
 */
export function watchSilentConnections({ server }: HttpApp): () => void {
  const connections = new Map<string, { socket: Socket; request: IncomingMessage | undefined }>();
  const watch = (socket: Socket) => {
    const peer = peerOf(socket);
    connections.set(peer, { socket, request: undefined });
    socket.once('close', () => {
      if (connections.get(peer)?.socket === socket) connections.delete(peer);
    });
  };
  server.on('connection', watch);
  // With TLS, requests have a socket of their own, on top of that of the connection.
  server.on('secureConnection', watch);
  server.on('request', (request, response) => {
    const { socket } = request;
    const peer = peerOf(socket);
    connections.set(peer, { socket, request });
    response.once('close', () => {
      if (connections.get(peer)?.request === request) connections.set(peer, { socket, request: undefined });
    });
  });
  return () => {
    for (const { socket, request } of connections.values()) {
      if (request === undefined) socket.destroy();
      else setTimeout(() => request.complete || socket.destroy(), maxArrivalMs).unref();
    }
  };
}

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

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
  const asked = new Map<Socket, IncomingMessage | undefined>();
  server.on('connection', (socket: Socket) => {
    asked.set(socket, undefined);
    socket.once('close', () => asked.delete(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    asked.set(socket, request);
    response.once('close', () => {
      if (asked.get(socket) === request) asked.set(socket, undefined);
    });
  });
  return () => {
    for (const [socket, request] of asked) {
      if (request === undefined) socket.destroy();
      else setTimeout(() => request.complete || socket.destroy(), longestArrivalMs).unref();
    }
  };
}

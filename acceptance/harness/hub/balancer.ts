import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export type Balancer = {
  readonly url: string;
  /** Requests and upgrades that went to each node. */
  readonly counts: readonly number[];
  close(): Promise<void>;
};

/**
 * A proxy that sends each request to the next node, without affinity: the hardest case for a protocol of several
 * requests. Nodes that refuse the connection are skipped.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const counts = ports.map(() => 0);
  const sockets = new Set<Socket>();
  let index = 0;
  const next = () => {
    index = (index + 1) % ports.length;
    counts[index] = (counts[index] ?? 0) + 1;
    return ports[index] ?? 0;
  };
  const server = createServer((incoming, outgoing) => forward(incoming, outgoing, next, ports.length));
  // Longer than a client keeps an idle connection, so that none is closed just when it is used again.
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) =>
    pipe(incoming, { socket, head }, next, ports.length),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { url: `http://127.0.0.1:${port}`, counts, close };
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  next: () => number,
  tries: number,
): void {
  const { method, url: path, headers } = incoming;
  const onward = request({ host: '127.0.0.1', port: next(), method, path, headers, agent: false });
  onward.on('socket', (socket) => {
    socket.once('connect', () => incoming.pipe(onward));
  });
  onward.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
    answer.on('error', () => outgoing.destroy());
  });
  onward.on('error', (error: Error & { code?: string }) => {
    if (outgoing.headersSent) outgoing.destroy();
    else if (error.code === 'ECONNREFUSED' && tries > 1) forward(incoming, outgoing, next, tries - 1);
    else outgoing.writeHead(502).end();
  });
  outgoing.on('close', () => onward.destroy());
}

function pipe(
  incoming: IncomingMessage,
  { socket, head }: { socket: Socket; head: Buffer },
  next: () => number,
  tries: number,
): void {
  const onward = connect(next(), '127.0.0.1', () => {
    const lines = [`${incoming.method} ${incoming.url} HTTP/1.1`];
    for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
      lines.push(`${incoming.rawHeaders[index]}: ${incoming.rawHeaders[index + 1]}`);
    }
    onward.write(`${lines.join('\r\n')}\r\n\r\n`);
    onward.write(head);
    onward.pipe(socket).pipe(onward);
  });
  socket.on('error', () => onward.destroy());
  socket.on('close', () => onward.destroy());
  onward.on('close', () => onward.bytesWritten > 0 && socket.destroy());
  onward.on('error', (error: Error & { code?: string }) => {
    if (error.code === 'ECONNREFUSED' && tries > 1) pipe(incoming, { socket, head }, next, tries - 1);
    else socket.destroy();
  });
}

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between the desks and one of several servers. */
export type MovingProxy = {
  readonly baseUrl: string;
  /** Ends all connections and leads new ones to another port, as a balancer does that takes a node out. */
  moveTo(port: number): void;
  close(): Promise<void>;
};

export async function startMovingProxy(firstPort: number): Promise<MovingProxy> {
  let target = firstPort;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  };
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((incoming) => {
    const onward = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [incoming, onward],
      [onward, incoming],
    ] as const) {
      keep(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
    incoming.pipe(onward).pipe(incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    moveTo: (next) => {
      target = next;
      endAll();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        endAll();
      }),
  };
}

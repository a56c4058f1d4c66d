import { createServer } from 'node:net';

/** The demo and everything that it starts listen on this address only. */
export const host = '127.0.0.1';

const tries = 10;

/** The preferred port, or one of the next, or any that is free. */
export async function findPort(preferred: number): Promise<number> {
  for (let port = preferred; port < preferred + tries; port++)
    if ((await listenOnce(port)) !== undefined) return port;
  const port = await listenOnce(0);
  if (port === undefined) throw new Error('this machine has no free port');
  return port;
}

/** The port that was listened on for a moment; undefined if somebody else does. */
function listenOnce(port: number): Promise<number | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, host, () => {
      const address = server.address();
      const taken = typeof address === 'object' ? address?.port : undefined;
      server.close(() => resolve(taken));
    });
  });
}

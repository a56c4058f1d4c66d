import { createServer } from 'node:http';
import { listenLocally } from '../http/listen-locally.ts';

/** Receives webhooks at `/hook`; a request to any other path was made for the name of a file. */
export type Receiver = {
  readonly url: string;
  readonly hooks: string[];
  readonly otherPaths: string[];
  close(): Promise<void>;
};

export async function openReceiver(): Promise<Receiver> {
  const hooks: string[] = [];
  const otherPaths: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/hook') hooks.push(Buffer.concat(chunks).toString('utf8'));
      else otherPaths.push(request.url ?? '');
      response.writeHead(204).end();
    });
  });
  const { port, stop } = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    hooks,
    otherPaths,
    close: stop,
  };
}

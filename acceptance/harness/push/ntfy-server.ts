import { createServer } from 'node:http';
import { listenLocally } from '../http/listen-locally.ts';

export type NtfyMessage = { topic: string; title: string; message: string; priority: number; click?: string };

/** A server that takes messages as ntfy does, from those who have its token. */
export type NtfyServer = {
  readonly url: string;
  readonly token: string;
  readonly messages: NtfyMessage[];
  stop(): Promise<void>;
};

export async function startNtfyServer(): Promise<NtfyServer> {
  const token = 'tk_a_server_in_the_plant';
  const messages: NtfyMessage[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/health') return void response.end('{"healthy":true}');
      const isKnown = request.headers.authorization === `Bearer ${token}`;
      if (request.method !== 'POST' || !isKnown) return void response.writeHead(403).end();
      messages.push(JSON.parse(Buffer.concat(chunks).toString()) as NtfyMessage);
      response.end(JSON.stringify({ id: `m${messages.length}`, event: 'message' }));
    });
  });
  const { port, stop } = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    messages,
    stop,
  };
}

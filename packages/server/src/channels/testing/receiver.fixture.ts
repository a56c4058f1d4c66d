import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { startNeighbour } from '../../testing/issuer.fixture.ts';

export type SeenRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

/** An HTTP server in the plant whose behaviour the test sets. */
export type Receiver = {
  readonly url: string;
  readonly seen: SeenRequest[];
  does(answer: (response: ServerResponse) => void): void;
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const seen: SeenRequest[] = [];
  let answer: (response: ServerResponse) => void = (response) => void response.end();
  const { url, close } = await startNeighbour(() => (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      seen.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
      answer(response);
    });
  });
  return { url, seen, close, does: (next) => (answer = next) };
}

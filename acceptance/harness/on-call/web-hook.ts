import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { listenLocally } from '../http/listen-locally.ts';
import { create, type Page, read } from '../plant.ts';
import type { OnCallPlant } from './on-call-plant.ts';

export type HookMessage = { subject: string; text: string; answerCode: string; answerLink: string };

export type WebHook = {
  readonly url: string;
  /** The next message whose signature holds; fails when none comes. */
  next(): Promise<HookMessage>;
  close(): Promise<void>;
};

const secret = `whsec_${Buffer.alloc(32, 42).toString('base64')}`;

/** A receiver of webhooks that checks signatures with a library of others, and the channel that leads to it. */
export async function openWebHook({ client }: Pick<OnCallPlant, 'client'>): Promise<WebHook> {
  const { items } = await read<Page<{ kind: string }>>(client, 'channels?limit=1000');
  if (!items.some(({ kind }) => kind === 'webhook'))
    await create(client, 'channels', { name: 'Webhooks', kind: 'webhook', settings: { secret } });
  const messages: HookMessage[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      try {
        const sent = new Webhook(secret).verify(body, request.headers as Record<string, string>);
        messages.push((sent as { data: HookMessage }).data);
        response.writeHead(204).end();
      } catch {
        response.writeHead(400).end();
      }
    });
  });
  const { port, stop } = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    next: async () => {
      const deadline = performance.now() + 20_000;
      while (messages.length === 0) {
        if (performance.now() > deadline) throw new Error('no webhook came');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return messages.shift() as HookMessage;
    },
    close: stop,
  };
}

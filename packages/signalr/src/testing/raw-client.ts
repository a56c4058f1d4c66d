import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from './eventually.ts';

export const ada = { authorization: 'Bearer ada' };
export const jsonHandshake = '{"protocol":"json","version":1}\u001e';

export type RawClient = {
  readonly webSocket: WebSocket;
  /** The received records, without their separators. */
  readonly records: string[];
  /** The records after the handshake response, parsed. */
  messages(): Record<string, unknown>[];
  send(text: string | Buffer): void;
  readonly closed: Promise<number>;
};

/** Opens a plain WebSocket. Rejects with the HTTP status if the upgrade is refused. */
export async function openSocket(url: string, headers: Record<string, string> = ada): Promise<RawClient> {
  const webSocket = new WebSocket(url.replace(/^http/, 'ws'), { headers });
  const records: string[] = [];
  webSocket.on('message', (data: Buffer) => {
    records.push(...data.toString('utf8').split('\u001e').slice(0, -1));
  });
  const closed = new Promise<number>((resolve) => {
    webSocket.on('close', (code) => resolve(code));
  });
  onTestFinished(() => webSocket.terminate());
  await new Promise<void>((resolve, reject) => {
    webSocket.on('open', () => resolve());
    webSocket.on('unexpected-response', (_, { statusCode }) => reject(new Error(`status ${statusCode}`)));
    webSocket.on('error', reject);
  });
  return {
    webSocket,
    records,
    messages: () => records.slice(1).map((record) => JSON.parse(record) as Record<string, unknown>),
    send: (text) => webSocket.send(text),
    closed,
  };
}

/** Opens a WebSocket without negotiation and completes its handshake. */
export async function connectedSocket(url: string, headers?: Record<string, string>): Promise<RawClient> {
  const client = await openSocket(url, headers);
  client.send(jsonHandshake);
  await eventually(() => client.records.length > 0, 'the handshake response');
  return client;
}

export type Negotiated = { connectionId: string; connectionToken: string; at: string };

/** Negotiates and returns the URL of the connection as `at`. */
export async function negotiate(
  url: string,
  { query = 'negotiateVersion=1', headers = ada }: { query?: string; headers?: Record<string, string> } = {},
): Promise<Negotiated> {
  const response = await fetch(`${url}/negotiate?${query}`, { method: 'POST', headers });
  const body = (await response.json()) as Omit<Negotiated, 'at'>;
  return { ...body, at: `${url}?id=${body.connectionToken ?? body.connectionId}` };
}

export const get = (url: string, headers: Record<string, string> = ada) => fetch(url, { headers });
export const post = (
  url: string,
  body: string | Buffer<ArrayBuffer>,
  headers: Record<string, string> = ada,
) => fetch(url, { method: 'POST', body, headers });

/** Connects with long polling and completes the handshake. */
export async function connectedPoll(url: string): Promise<Negotiated> {
  const negotiated = await negotiate(url);
  await (await get(negotiated.at)).text();
  await post(negotiated.at, jsonHandshake);
  await (await get(negotiated.at)).text();
  return negotiated;
}

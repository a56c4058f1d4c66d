import { createRequire } from 'node:module';

type NodeClient = {
  headers: Record<string, string>;
  readonly queryString: Record<string, string>;
  readonly serviceHandlers: Record<string, (...args: never[]) => unknown>;
  readonly connection: { readonly id: string };
  on(hub: string, method: string, callback: (...args: never[]) => void): void;
  call(
    hub: string,
    method: string,
    ...args: unknown[]
  ): { done(callback: (error: unknown, result: unknown) => void): void };
  start(): void;
  end(): void;
};

const require = createRequire(import.meta.url);
const { client: Client } = require('signalr-client') as {
  client: new (url: string, hubs: string[], reconnectSeconds: number, doNotStart: boolean) => NodeClient;
};

export type NodeSubscriber = {
  readonly client: NodeClient;
  readonly received: number[];
  /** The events so far, such as `connected` and `reconnected`. */
  readonly events: string[];
  call(method: string, ...args: unknown[]): Promise<unknown>;
};

const eventNames = [
  'connected',
  'reconnected',
  'disconnected',
  'connectFailed',
  'connectionLost',
  'onerror',
  'bound',
];

/** The npm package `signalr-client`: WebSockets only, with the token in the headers and in the query. */
export function openNodeClient(address: string, token: string, hub = 'alarmHub'): NodeSubscriber {
  const client = new Client(`${address}/signalr`, [hub], 0.05, true);
  const received: number[] = [];
  const events: string[] = [];
  client.headers['Authorization'] = `Bearer ${token}`;
  client.queryString['access_token'] = token;
  for (const event of eventNames) client.serviceHandlers[event] = () => void events.push(event);
  client.serviceHandlers['onUnauthorized'] = () => void events.push('onUnauthorized');
  client.serviceHandlers['reconnecting'] = () => false;
  client.on(hub, 'onAlarm', (alarm: { id: number }) => void received.push(alarm.id));
  client.start();
  const call = (method: string, ...args: unknown[]) =>
    new Promise((resolve, reject) => {
      client
        .call(hub, method, ...args)
        .done((error, result) => (typeof error === 'string' ? reject(new Error(error)) : resolve(result)));
    });
  return { client, received, events, call };
}

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
  readonly heard: number[];
  /** What has happened, such as `connected` and `reconnected`. */
  readonly happened: string[];
  call(method: string, ...args: unknown[]): Promise<unknown>;
};

const events = [
  'connected',
  'reconnected',
  'disconnected',
  'connectFailed',
  'connectionLost',
  'onerror',
  'bound',
];

/** The client for Node of npm: WebSockets only, its token in headers or in the query. */
export function openNodeClient(address: string, token: string, hub = 'alarmHub'): NodeSubscriber {
  const client = new Client(`${address}/signalr`, [hub], 0.05, true);
  const heard: number[] = [];
  const happened: string[] = [];
  client.headers['Authorization'] = `Bearer ${token}`;
  client.queryString['access_token'] = token;
  for (const event of events) client.serviceHandlers[event] = () => void happened.push(event);
  client.serviceHandlers['onUnauthorized'] = () => void happened.push('onUnauthorized');
  client.serviceHandlers['reconnecting'] = () => false;
  client.on(hub, 'onAlarm', (alarm: { id: number }) => void heard.push(alarm.id));
  client.start();
  const call = (method: string, ...args: unknown[]) =>
    new Promise((resolve, reject) => {
      client
        .call(hub, method, ...args)
        .done((error, result) => (typeof error === 'string' ? reject(new Error(error)) : resolve(result)));
    });
  return { client, heard, happened, call };
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { EventSource } from 'eventsource';
import { JSDOM } from 'jsdom';
import type { TransportType } from '../../hub/hub.ts';

const require = createRequire(import.meta.url);
const jquery = readFileSync(require.resolve('jquery/dist/jquery.js'), 'utf8');
const signalr = readFileSync(require.resolve('signalr/jquery.signalR.js'), 'utf8');

type Deferred<T> = PromiseLike<T>;

export type JqueryProxy = {
  on(method: string, callback: (...args: never[]) => void): JqueryProxy;
  invoke(method: string, ...args: unknown[]): Deferred<unknown>;
  readonly client: Record<string, (...args: never[]) => void>;
  readonly server: Record<string, (...args: unknown[]) => Deferred<unknown>>;
};

export type JqueryConnection = {
  createHubProxy(name: string): JqueryProxy;
  start(options: { transport: TransportType | TransportType[]; jsonp?: boolean }): Deferred<unknown>;
  stop(): void;
  error(callback: (error: Error) => void): void;
  disconnected(callback: () => void): void;
  reconnected(callback: () => void): void;
  received(callback: (data: unknown) => void): void;
  readonly state: number;
  readonly messageId: string;
  readonly groupsToken: string | undefined;
  readonly transport: { name: string };
  qs: Record<string, string>;
  reconnectDelay: number;
  readonly id: string;
};

export const states = { connecting: 0, connected: 1, reconnecting: 2, disconnected: 4 } as const;

type PageWindow = {
  eval(script: string): void;
  jQuery: {
    hubConnection(url: string, options: object): JqueryConnection;
    connection: ((url: string) => JqueryConnection) & { hub: JqueryConnection } & Record<string, JqueryProxy>;
    signalR: { transports: { longPolling: { reconnectDelay: number } } };
  };
  EventSource: unknown;
};

/** A browser page with jQuery and the official client. */
export type Page = {
  readonly window: PageWindow;
  /** Creates a hub connection with a token and short reconnect delays. */
  connect(token?: string, base?: string): JqueryConnection;
  close(): void;
};

/** Adds the event phase that browsers set on error events, because the client requires it to detect the end. */
class PageEventSource extends EventSource {
  constructor(url: string) {
    super(url);
    super.addEventListener('error', (event) => {
      Object.defineProperty(event, 'eventPhase', { value: EventSource.CLOSED });
    });
  }
}

export function openPage(address: string): Page {
  const dom = new JSDOM('<!doctype html>', { url: `${address}/`, runScripts: 'outside-only' });
  const window = dom.window as unknown as PageWindow;
  window.EventSource = PageEventSource;
  window.eval(jquery);
  window.eval(signalr);
  window.jQuery.signalR.transports.longPolling.reconnectDelay = 50;
  return {
    window,
    connect: (token = 'anna-token', base = '') => {
      const connection = window.jQuery.hubConnection(`${address}${base}/signalr`, { useDefaultPath: false });
      connection.qs = { access_token: token };
      connection.reconnectDelay = 50;
      return connection;
    },
    close: () => dom.window.close(),
  };
}

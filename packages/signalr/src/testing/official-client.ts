import {
  type HubConnection as Client,
  HttpTransportType,
  HubConnectionBuilder,
  type IHttpConnectionOptions,
  JsonHubProtocol,
  NullLogger,
} from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { onTestFinished } from 'vitest';

export type ClientOptions = {
  readonly transport?: 'WebSockets' | 'ServerSentEvents' | 'LongPolling';
  readonly protocol?: 'json' | 'messagepack';
  readonly skipNegotiation?: boolean;
  /** Sent as a header. */
  readonly token?: string;
  readonly stateful?: boolean;
  readonly retryDelays?: number[];
  readonly http?: IHttpConnectionOptions;
};

/** Builds the official client without starting it. */
export function buildClient(url: string, options: ClientOptions = {}): Client {
  const { transport = 'WebSockets', protocol = 'json', skipNegotiation = false, token } = options;
  const builder = new HubConnectionBuilder()
    .withUrl(url, {
      transport: HttpTransportType[transport],
      skipNegotiation,
      logger: NullLogger.instance,
      ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }),
      ...options.http,
    })
    .configureLogging(NullLogger.instance)
    .withHubProtocol(protocol === 'json' ? new JsonHubProtocol() : new MessagePackHubProtocol());
  if (options.stateful === true) builder.withStatefulReconnect();
  if (options.retryDelays !== undefined) builder.withAutomaticReconnect(options.retryDelays);
  return builder.build();
}

/** Starts a client that stops with the test. */
export async function startClient(url: string, options: ClientOptions = {}): Promise<Client> {
  const client = buildClient(url, { token: 'ada', ...options });
  await client.start();
  onTestFinished(() => client.stop());
  return client;
}

/** Collects the first argument of each invocation of a client method. */
export function collect<Item>(client: Client, method: string): Item[] {
  const items: Item[] = [];
  client.on(method, (item: Item) => void items.push(item));
  return items;
}

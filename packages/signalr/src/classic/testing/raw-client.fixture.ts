import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { TransportType } from '../../hub/hub.ts';
import type { ClassicNode } from './classic-node.fixture.ts';

export const alarmHubData = '[{"name":"alarmhub"}]';

type Query = Record<string, string>;

/** A client that sends plain protocol requests. */
export type RawClient = {
  /** The parameters of every request. */
  readonly common: Query;
  readonly connectionId: string;
  url(endpoint: string, query?: Query): string;
  get(endpoint: string, query?: Query): Promise<Response>;
  post(endpoint: string, form?: Query, query?: Query): Promise<Response>;
  /** Sends a poll, or the first one to `/connect`, and parses the response. */
  poll(endpoint: 'connect' | 'poll' | 'reconnect', form?: Query): Promise<Frame>;
  socket(endpoint?: 'connect' | 'reconnect', query?: Query): Stream;
  events(endpoint?: 'connect' | 'reconnect', query?: Query): Stream;
};

export type Frame = {
  C?: string;
  S?: number;
  T?: number;
  G?: string;
  E?: string;
  I?: string;
  R?: unknown;
  M?: { H: string; M: string; A: [{ id: number }] }[];
};

/** A WebSocket or an event stream with its received frames. */
export type Stream = {
  readonly frames: Frame[];
  /** Undefined while open; then the close code, the HTTP status, or 0. */
  readonly ended: () => number | undefined;
  send(value: unknown): void;
  close(): void;
};

type RawSettings = { bearer?: string; transport?: TransportType; connectionData?: string; base?: string };

export async function negotiate(
  node: Pick<ClassicNode, 'address'>,
  settings: RawSettings = {},
): Promise<RawClient> {
  const { bearer = 'anna-token', transport = 'longPolling', connectionData = alarmHubData } = settings;
  const base = `${node.address}${settings.base ?? ''}/signalr`;
  const response = await fetch(
    `${base}/negotiate?${new URLSearchParams({ clientProtocol: '2.1', connectionData, access_token: bearer })}`,
  );
  if (response.status !== 200)
    throw new Error(`negotiate responded ${response.status}: ${await response.text()}`);
  const negotiated = (await response.json()) as { ConnectionToken: string; ConnectionId: string };
  const { ConnectionToken: connectionToken, ConnectionId: connectionId } = negotiated;
  return clientAt(base, connectionId, { transport, connectionToken, connectionData, access_token: bearer });
}

/** The same connection on another node. */
export function onNode(node: Pick<ClassicNode, 'address'>, client: RawClient): RawClient {
  return clientAt(`${node.address}/signalr`, client.connectionId, client.common);
}

function clientAt(base: string, connectionId: string, common: Query): RawClient {
  const url = (endpoint: string, query: Query = {}) =>
    `${base}/${endpoint}?${new URLSearchParams({ ...common, ...query })}`;
  const post = (endpoint: string, form: Query = {}, query: Query = {}) =>
    fetch(url(endpoint, query), { method: 'POST', body: new URLSearchParams(form) });
  return {
    common,
    connectionId,
    url,
    post,
    get: (endpoint, query) => fetch(url(endpoint, query)),
    poll: async (endpoint, form) => (await post(endpoint, form)).json() as Promise<Frame>,
    socket: (endpoint = 'connect', query = {}) =>
      openSocket(url(endpoint, { ...query, transport: 'webSockets' }).replace('http', 'ws')),
    events: (endpoint = 'connect', query = {}) =>
      openEvents(url(endpoint, { ...query, transport: 'serverSentEvents' })),
  };
}

function openSocket(url: string): Stream {
  const socket = new WebSocket(url);
  const frames: Frame[] = [];
  let ended: number | undefined;
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as Frame));
  socket.on('error', () => undefined);
  socket.on('unexpected-response', (_, response) => {
    ended = response.statusCode ?? 0;
    response.resume();
  });
  socket.on('close', (code) => {
    ended ??= code;
  });
  return {
    frames,
    ended: () => ended,
    send: (value) => socket.send(typeof value === 'string' ? value : JSON.stringify(value)),
    close: () => socket.terminate(),
  };
}

function openEvents(url: string): Stream {
  const frames: Frame[] = [];
  const abort = new AbortController();
  let ended: number | undefined;
  const read = async () => {
    const response = await fetch(url, { signal: abort.signal });
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      const events = text.split('\r\n\r\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = event.replace(/^data: /, '');
        if (data !== 'initialized') frames.push(JSON.parse(data) as Frame);
      }
    }
    ended = response.status === 200 ? 0 : response.status;
  };
  read().catch(() => {
    ended = -1;
  });
  return {
    frames,
    ended: () => ended,
    send: () => {
      throw new Error('an event stream is one-way');
    },
    close: () => abort.abort(),
  };
}

/** The ids of the alarms in the frames, in order. */
export function alarmsIn(frames: readonly Frame[]): number[] {
  return frames.flatMap(({ M = [] }) => M.map(({ A: [alarm] }) => alarm.id));
}

/** Waits until `read` returns a value. */
export async function until<T>(read: () => T | undefined | false, timeoutMs = 5_000): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = read();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`timed out: ${read.toString()}`);
    await sleep(5);
  }
}
